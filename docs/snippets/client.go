// --8<-- [start:call]
package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sort"
	"strconv"
	"strings"
	"time"
)

const baseURL = "http://localhost:4566/…" // the base URL you were given
const apiKey, apiSecret = "mk_…", "sk_…"

// canonical writes JSON with sorted keys and no spaces, as it is signed.
func canonical(value any) string {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out) // it sorts the keys of maps
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic(err)
	}
	return strings.NewReplacer(`\u2028`, "\u2028", `\u2029`, "\u2029").Replace(strings.TrimSuffix(out.String(), "\n"))
}

func sign(secret, path string, params map[string]any) string {
	lines := []string{}
	for name, value := range params {
		text, isText := value.(string)
		if name == "signature" || value == nil || (isText && text == "") {
			continue
		}
		if !isText {
			text = canonical(value)
		}
		lines = append(lines, name+"="+text)
	}
	sort.Slice(lines, func(i, j int) bool {
		return lines[i][:strings.Index(lines[i], "=")] < lines[j][:strings.Index(lines[j], "=")]
	})
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(strings.Join(append([]string{"POST " + path}, lines...), "\n")))
	return hex.EncodeToString(mac.Sum(nil))
}

func nonce() string {
	drawn := make([]byte, 12)
	if _, err := rand.Read(drawn); err != nil {
		panic(err)
	}
	return hex.EncodeToString(drawn)
}

func call(path string, params map[string]any) (string, error) {
	params["api_key"], params["timestamp"], params["nonce"] = apiKey, time.Now().Unix(), nonce()
	params["signature"] = sign(apiSecret, path, params)
	answer, err := http.Post(baseURL+path, "application/json", strings.NewReader(canonical(params)))
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body) // a refusal is an answer too
	return string(body), err
}

// --8<-- [end:call]

// --8<-- [start:order]
func main() {
	fmt.Println(call("/test/createOrder", map[string]any{
		"order_type": 1, "cny_amount": "1000.00", "merchant_order_no": "first-1"}))
}

// --8<-- [end:order]

// --8<-- [start:verify]
// verified tells whether a callback is ours. The body is the bytes as they came.
func verified(secret string, headers http.Header, body []byte) bool {
	sent := headers.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(sent, 10, 64)
	key, bad := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil || bad != nil || time.Since(time.Unix(seconds, 0)).Abs() > 5*time.Minute {
		return false
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.%s", headers.Get("webhook-id"), sent, body)
	own := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	for _, given := range strings.Split(headers.Get("webhook-signature"), " ") { // two while a secret rotates
		if hmac.Equal([]byte(own), []byte(given)) {
			return true
		}
	}
	return false
}

// --8<-- [end:verify]
