  // The other page's style has another nonce, which this page's policy refuses.
  const pageOf = (text) => new DOMParser().parseFromString(text.replace(/<style[^]*?<\/style>/, ""), "text/html");
