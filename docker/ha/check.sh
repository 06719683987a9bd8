#!/usr/bin/env bash
# check.sh [IMAGE]: tries on real containers what docs/high-availability.md says of the pair of compose.ha.yaml (about a minute).
# Without IMAGE it builds ../timescaledb.
set -euo pipefail
cd "$(dirname "$0")"
image=${1:-}
if [ -z "$image" ]; then
  image=peerlens/timescaledb:check
  docker build -q -t "$image" ../timescaledb >/dev/null
fi
prefix=pair-check-$$
volumes=("$prefix-database-a" "$prefix-database-b")
cleanup() {
  docker rm -fv "${volumes[@]}" >/dev/null 2>&1 || true
  docker volume rm "${volumes[@]}" >/dev/null 2>&1 || true
  docker network rm "$prefix" >/dev/null 2>&1 || true
}
trap cleanup EXIT

failures=0
ok() { echo "ok    $*"; }
bad() { echo "FAIL  $*"; failures=$((failures + 1)); }
expect() { # TEXT WANTED GOT
  if [ "$2" = "$3" ]; then ok "$1"; else bad "$1: wanted '$2', got '$3'"; fi
}
contains() { # TEXT WANTED ALL
  case $3 in *"$2"*) ok "$1" ;; *) bad "$1: '$2' is not in: $3" ;; esac
}
start() { # NAME PEER [docker-run-arguments...]: as compose.ha.yaml does
  docker run -d --name "$prefix-$1" --network "$prefix" --network-alias "$1" -v "$prefix-$1:/var/lib/postgresql/data" \
    -v "$PWD/pair.sh:/usr/local/bin/pair.sh:ro" -v "$PWD/replication.sh:/docker-entrypoint-initdb.d/replication.sh:ro" \
    --read-only --tmpfs /tmp --tmpfs /var/run/postgresql:uid=999,gid=999,mode=2775 --cap-drop ALL --security-opt no-new-privileges:true \
    -e POSTGRES_USER=peerlens -e POSTGRES_PASSWORD=secret -e DATABASE_REPLICATION_PASSWORD=secret2 -e TS_TUNE_MEMORY=512MB \
    -e DATABASE_NAME="$1" -e DATABASE_PEER="$2" "${@:3}" --entrypoint pair.sh "$image" start postgres >/dev/null
}
until_ready() { # NAME
  for _ in $(seq 120); do
    docker exec "$prefix-$1" pg_isready -q -h 127.0.0.1 2>/dev/null && return 0
    [ "$(docker inspect -f '{{.State.Running}}' "$prefix-$1")" = true ] || break
    sleep 0.5
  done
  docker logs "$prefix-$1" 2>&1 | tail -n 20
  bad "$1 becomes ready"
  exit 1
}
sql() { docker exec "$prefix-$1" psql -U peerlens -d peerlens -XAtqc "$2" 2>&1; } # NAME SQL
pair() { docker exec "$prefix-$1" pair.sh "$2" 2>&1 || true; } # NAME COMMAND
until_said() { # NAME SQL WANTED
  for _ in $(seq 60); do
    [ "$(sql "$1" "$2")" != "$3" ] || return 0
    sleep 0.5
  done
  return 1
}
log() { docker logs "$prefix-$1" 2>&1; }

docker network create --internal "$prefix" >/dev/null
start database-a database-b
docker wait "$prefix-database-a" >/dev/null
contains "an empty server without a peer makes no database by itself" "DATABASE_FIRST=database-a" "$(log database-a)"
docker rm -fv "$prefix-database-a" >/dev/null

start database-a database-b -e DATABASE_FIRST=database-a
until_ready database-a
sql database-a 'create table seen (what text); insert into seen values ($$first$$)'
contains "commits do not wait for a standby that is not there" "not a standby" "$(pair database-a synchronous)"
start database-b database-a -e DATABASE_FIRST=database-a
until_ready database-b
expect "the other becomes a copy of it" first "$(sql database-b 'select what from seen')"
expect "which takes no writes" t "$(sql database-b 'select pg_is_in_recovery()')"
until_said database-a "select state from pg_stat_replication" streaming || bad "it streams"
contains "commits wait for it when told to" "commits wait for database-b" "$(pair database-a synchronous)"
until_said database-a "select sync_state from pg_stat_replication" sync && ok "and PostgreSQL says so" || bad "and PostgreSQL says so"
sql database-a 'insert into seen values ($$both$$)'
expect "what was committed is on both" "first both" "$(sql database-b "select string_agg(what, ' ') from seen")"

docker kill "$prefix-database-b" >/dev/null
expect "without its standby the primary commits nothing" waits "$(timeout 5 docker exec "$prefix-database-a" \
  psql -U peerlens -d peerlens -XAtqc 'insert into seen values ($$alone$$)' >/dev/null 2>&1 && echo commits || echo waits)"
docker start "$prefix-database-b" >/dev/null
until_ready database-b
until_said database-a "select sync_state from pg_stat_replication" sync || bad "the standby comes back"
contains "a standby is not promoted beside its primary" "must never be two" "$(pair database-b promote)"

docker kill "$prefix-database-a" >/dev/null
contains "it is when the primary is gone" "database-b is the primary" "$(pair database-b promote)"
contains "with all that was committed" "first both" "$(sql database-b "select string_agg(what, ' ') from seen")"
sql database-b 'insert into seen values ($$promoted$$)'
docker start "$prefix-database-a" >/dev/null
docker wait "$prefix-database-a" >/dev/null
contains "the old primary does not start beside it" "remove its volume" "$(log database-a)"
docker rm -fv "$prefix-database-a" >/dev/null
docker volume rm "$prefix-database-a" >/dev/null
start database-a database-b
until_ready database-a
contains "with an empty volume it becomes the standby" "promoted" "$(sql database-a "select string_agg(what, ' ') from seen")"
until_said database-b "select state from pg_stat_replication" streaming || bad "it streams"
contains "for which commits wait again" "commits wait for database-a" "$(pair database-b synchronous)"

echo
[ "$failures" = 0 ] || { echo "$failures failed"; exit 1; }
echo "all as promised"
