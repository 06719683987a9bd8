#!/bin/sh
# Checks the generated clients: the Python one is imported and builds a request, the TypeScript one
# passes the type checker. What cannot be checked here is named and skipped.
set -eu
clients=$1

if command -v python3 >/dev/null 2>&1; then
  venv=$clients/python-venv
  if python3 -m venv "$venv" >/dev/null 2>&1 &&
    "$venv/bin/pip" install --quiet --disable-pip-version-check -r "$clients/python/requirements.txt"; then
    (cd "$clients/python" && "$venv/bin/python" - <<'PYTHON'
import importlib, pkgutil
import peerlens_client

modules = [m.name for m in pkgutil.walk_packages(peerlens_client.__path__, "peerlens_client.")]
for module in modules:
    importlib.import_module(module)
client = peerlens_client.ApiClient(peerlens_client.Configuration(host="http://localhost:8080/api/v1", access_token="plt_x"))
method, url, headers, *_ = peerlens_client.ObjectsApi(client)._list_objects_serialize(
    adapter_kind=None, object_kind=["VirtualMachine"], name=None, tag=["tier=web"], var_property=None, parent=None,
    ancestor=None, q=None, silent=None, with_path=None, sort=None, limit=5, cursor=None,
    _request_auth=None, _content_type=None, _headers=None, _host_index=0)
assert method == "GET" and "objectKind=VirtualMachine" in url and "limit=5" in url, url
assert headers["Authorization"] == "Bearer plt_x", headers
print("Python client: %d modules imported, %s" % (len(modules), url))
PYTHON
    )
  else
    echo "SKIPPED: the Python client was not imported, its requirements could not be installed." >&2
  fi
else
  echo "SKIPPED: the Python client was not imported, there is no python3." >&2
fi

if command -v npm >/dev/null 2>&1; then
  # Apart from the client's own folder, so that its package is as it was generated.
  tools=$clients/typescript-tools
  mkdir -p "$tools"
  if [ -x "$tools/node_modules/.bin/tsc" ] ||
    (cd "$tools" && npm install --silent --no-save --no-audit --no-fund typescript@5 >/dev/null 2>&1); then
    "$tools/node_modules/.bin/tsc" --project "$clients/typescript/tsconfig.json" --noEmit
    echo "TypeScript client: the type checker found nothing"
  else
    echo "SKIPPED: the TypeScript client was not checked, the compiler could not be installed." >&2
  fi
else
  echo "SKIPPED: the TypeScript client was not checked, there is no npm." >&2
fi
