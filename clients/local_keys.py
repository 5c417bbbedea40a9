"""Print the local stack's base URL and its demo merchant's test key as shell exports.

eval "$(python3 clients/local_keys.py)"
"""

import json
import shlex
from pathlib import Path

stack = json.loads(Path(".local/stack.json").read_text(encoding="utf-8"))
merchant = stack["demo"]["merchant"]
for name, value in {
    "ORDERDESK_BASE_URL": stack["base_url"],
    "ORDERDESK_API_KEY": merchant["test_api_key"],
    "ORDERDESK_API_SECRET": merchant["test_api_secret"],
    "ORDERDESK_CALLBACK_SECRET": merchant["callback_secret"],
}.items():
    print(f"export {name}={shlex.quote(value)}")
