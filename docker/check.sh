#!/usr/bin/env bash
# check.sh: builds the images and tries on real containers what docker/README.md promises of the service. Needs the jar:
#   mvn -pl service -am package -DskipTests && docker/check.sh
# No broker: the service must start and be healthy without one. Nothing is published on the host.
set -euo pipefail
cd "$(dirname "$0")/.."
prefix=peerlens-check-$$
database_image=peerlens/timescaledb:check
service_image=peerlens/service:check
password=$(od -An -N12 -tx1 /dev/urandom | tr -d ' \n')
containers=()
cleanup() {
  docker rm -fv "${containers[@]}" >/dev/null 2>&1 || true
  docker network rm "$prefix" >/dev/null 2>&1 || true
}
trap cleanup EXIT

failures=0
ok() { echo "ok    $*"; }
bad() { echo "FAIL  $*"; failures=$((failures + 1)); }
expect() { # TEXT WANTED GOT
  if [ "$2" = "$3" ]; then ok "$1"; else bad "$1: wanted '$2', got '$3'"; fi
}
start() { # NAME docker-run-arguments...
  local name=$prefix-$1
  containers+=("$name")
  docker run -d --name "$name" --network "$prefix" --network-alias "$1" "${@:2}" >/dev/null
}
until_healthy() { # NAME
  local since=$SECONDS
  while ((SECONDS - since < 300)); do
    case $(docker inspect -f '{{.State.Status}} {{.State.Health.Status}}' "$prefix-$1") in
      "running healthy") ok "$1 is healthy after $((SECONDS - since)) s"; return ;;
      running*) sleep 1 ;;
      *) break ;;
    esac
  done
  docker logs "$prefix-$1" 2>&1 | tail -n 30
  bad "$1 becomes healthy"
  exit 1
}
status() { # NAME PATH [HEADER]: of a GET from inside, as nothing is published
  docker exec "$prefix-$1" bash -c 'exec 3<>/dev/tcp/127.0.0.1/8080
    printf "GET %s HTTP/1.0\r\nHost: 127.0.0.1\r\n%s\r\n" "$1" "${2:+$2$'"'\\r\\n'"'}" >&3; read -r _ status _ <&3; echo "$status"' - "$2" "${3:-}"
}

build() {
  local said
  said=$(docker build -q "$@" 2>&1) || { echo "$said"; exit 1; }
}
compgen -G 'service/target/*-app.jar' >/dev/null || { echo "There is no jar yet: mvn -pl service -am package -DskipTests" >&2; exit 1; }
build -t "$database_image" docker/timescaledb
build -t "$service_image" -f docker/service/Dockerfile .
docker network create --internal "$prefix" >/dev/null
expect "the image runs as uid 10001" 10001:10001 "$(docker inspect -f '{{.Config.User}}' "$service_image")"
expect "and Java is 25" 25 "$(docker run --rm --entrypoint java "$service_image" -version 2>&1 | sed -n 's/.*version "\([0-9]*\).*/\1/p')"

start timescaledb -e POSTGRES_USER=peerlens -e POSTGRES_PASSWORD="$password" -e TS_TUNE_MEMORY=1GB "$database_image"
until_healthy timescaledb
hardened=(--read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges:true --memory 1g
  -e PEERLENS_DATABASE=jdbc:postgresql://timescaledb:5432/peerlens -e PEERLENS_DATABASE_PASSWORD="$password"
  -e PEERLENS_INGEST_BOOTSTRAPSERVERS=nobody:9092)
start service "${hardened[@]}" "$service_image"
until_healthy service
expect "its process is not root" 10001 "$(docker exec "$prefix-service" stat -c %u /proc/1)"
expect "it cannot write into its image" denied "$(docker exec "$prefix-service" sh -c 'touch /opt/peerlens/x 2>/dev/null && echo written || echo denied')"
heap=$(docker exec "$prefix-service" sh -c "java -XX:+PrintFlagsFinal -version 2>/dev/null | awk '\$2 == \"MaxHeapSize\" {print int(\$4 / 1048576)}'")
if ((heap > 650 && heap < 760)); then ok "the heap follows the container's memory ($heap MB of 1024)"; else bad "the heap is $heap MB of 1024"; fi
token=$(docker logs "$prefix-service" 2>&1 | sed -n 's/^Admin token (shown once): //p')
if [ -n "$token" ]; then ok "the first start prints an admin token"; else bad "the first start prints an admin token"; fi
expect "health is open" 200 "$(status service /health)"
expect "the API is not" 401 "$(status service /api/v1/tokens)"
expect "but answers the token" 200 "$(status service /api/v1/tokens "Authorization: Bearer $token")"
expect "the schema is there, on hypertables" t "$(docker exec -e PGPASSWORD="$password" "$prefix-timescaledb" \
  psql -h 127.0.0.1 -U peerlens -XAtc "select count(*) >= 1 from timescaledb_information.hypertables where hypertable_name = 'sample'")"

# Grafana's reader, as compose.yaml makes it.
reader() { docker run --rm --network "$prefix" -e PGHOST=timescaledb -e PGDATABASE=peerlens -e PGUSER="$1" -e PGPASSWORD="$2" "${@:3}"; }
for _ in 1 2; do # a second start must change nothing
  reader peerlens "$password" -e READER_PASSWORD=r -v "$PWD/docker/grafana/reader.sql:/reader.sql:ro" --entrypoint psql "$database_image" \
    -X -q -v ON_ERROR_STOP=1 -f /reader.sql
done
expect "Grafana's user reads the views" 0 "$(reader grafana r --entrypoint psql "$database_image" -XAtc 'select count(*) from metric_5m')"
expect "but no tables" denied "$(reader grafana r --entrypoint psql "$database_image" -XAtc 'select * from object' >/dev/null 2>&1 && echo read || echo denied)"
expect "and cannot write" denied "$(reader grafana r --entrypoint psql "$database_image" -XAtc 'create table views.x ()' >/dev/null 2>&1 && echo written || echo denied)"
expect "every query of the dashboard is one that the database takes" "" "$(docker/grafana/queries.py | while IFS= read -r query; do
  reader grafana r -i --entrypoint psql "$database_image" -XAtq -v ON_ERROR_STOP=1 -c "explain $query" 2>&1 >/dev/null || echo "in: $query"; done)"

since=$SECONDS
docker stop -t 60 "$prefix-service" >/dev/null
code=$(docker inspect -f '{{.State.ExitCode}}' "$prefix-service")
if [ "$code" = 143 ] || [ "$code" = 0 ]; then ok "a stop is a clean end, after $((SECONDS - since)) s"; else bad "a stop ends with $code"; fi

# One role at a time, so that a small machine is enough.
for role in ingest evaluator notifier api; do
  start "$role" "${hardened[@]}" -e PEERLENS_ROLES="$role" "$service_image"
  until_healthy "$role"
  [ "$role" = api ] || docker rm -fv "$prefix-$role" >/dev/null
done
expect "the api role serves the API" 401 "$(status api /api/v1/tokens)"

docker stop -t 30 "$prefix-timescaledb" >/dev/null
for _ in $(seq 30); do
  docker exec "$prefix-api" peerlens-healthy >/dev/null 2>&1 || break
  sleep 1
done
expect "without its database it is not healthy" unhealthy "$(docker exec "$prefix-api" peerlens-healthy >/dev/null 2>&1 && echo healthy || echo unhealthy)"
docker start "$prefix-timescaledb" >/dev/null
until_healthy timescaledb
for _ in $(seq 60); do
  docker exec "$prefix-api" peerlens-healthy >/dev/null 2>&1 && break
  sleep 1
done
expect "and with it it is again" healthy "$(docker exec "$prefix-api" peerlens-healthy >/dev/null 2>&1 && echo healthy || echo unhealthy)"

# The pair of compose.ha.yaml.
docker/ha/check.sh "$database_image" || bad "the pair of databases"

# What the operator CloudNativePG expects.
operator_image=peerlens/timescaledb-cloudnativepg:17-check
build -t "$operator_image" -f docker/timescaledb/cloudnativepg.Dockerfile docker/timescaledb
expect "the operator's image runs as uid 26, postgres" "26 postgres" "$(docker run --rm "$operator_image" sh -c 'echo "$(id -u) $(id -un)"')"
expect "without an entrypoint" "[]" "$(docker inspect -f '{{.Config.Entrypoint}}' "$operator_image")"
expect "with PostgreSQL 17 and its programs in the path" 17 "$(docker run --rm "$operator_image" \
  sh -c 'for program in initdb pg_ctl pg_basebackup pg_rewind pg_controldata; do command -v $program >/dev/null || exit; done; postgres --version' | sed -n 's/.* 17.*/17/p')"
expect "and TimescaleDB, which the owner of a database may add" "trusted = true" "$(docker run --rm "$operator_image" \
  sh -c 'grep "^trusted" "$(pg_config --sharedir)/extension/timescaledb.control"')"

echo
[ "$failures" = 0 ] || { echo "$failures failed"; exit 1; }
echo "all as promised"
