export const handled = [];

export async function handle(webhookId, event) {
  handled.push([webhookId, event.type]);
}
