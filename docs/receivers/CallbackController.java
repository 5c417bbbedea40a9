package shop;

import orderdesk.Api;
import orderdesk.Orderdesk;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

@RestController
class CallbackController {
    private final String secret;
    private final Shop shop;

    CallbackController(@Value("${ORDERDESK_CALLBACK_SECRET}") String secret, Shop shop) {
        this.secret = secret;
        this.shop = shop;
    }

    @PostMapping("/callbacks")
    ResponseEntity<Void> receive(@RequestHeader HttpHeaders headers, @RequestBody byte[] body) {
        Api.Event event;
        try {
            event = Orderdesk.verifyCallback(secret, headers::getFirst, body);
        } catch (Orderdesk.InvalidCallback refused) {
            return ResponseEntity.badRequest().build();
        }
        shop.handle(headers.getFirst("webhook-id"), event);
        return ResponseEntity.noContent().build();
    }
}
