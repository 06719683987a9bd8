#!/usr/bin/env bash
# check.sh [IMAGE]: what the image promises, tried on real containers (about a minute). Without IMAGE it builds this folder.
set -euo pipefail
cd "$(dirname "$0")"
image=${1:-}
if [ -z "$image" ]; then
  image=peerlens/timescaledb:check
  docker build -q -t "$image" . >/dev/null
fi
work=$(mktemp -d)
prefix=timescaledb-check-$$
containers=() volumes=()
cleanup() {
  docker rm -fv "${containers[@]}" >/dev/null 2>&1 || true
  docker volume rm "${volumes[@]}" >/dev/null 2>&1 || true
  rm -rf "$work"
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
start() { # NAME docker-run-arguments...
  local name=$prefix-$1
  shift
  containers+=("$name")
  docker run -d --name "$name" "$@" >/dev/null
}
health() { docker inspect -f '{{.State.Health.Status}}' "$prefix-$1"; }
until_healthy() {
  for _ in $(seq 120); do
    [ "$(health "$1")" != healthy ] || return 0
    [ "$(docker inspect -f '{{.State.Running}}' "$prefix-$1")" = true ] || break
    sleep 0.5
  done
  docker logs "$prefix-$1" 2>&1 | tail -n 20
  bad "$1 becomes healthy"
  return 1
}
sql() { # NAME PASSWORD SQL: by TCP, as clients come
  docker exec -e PGPASSWORD="$2" "$prefix-$1" psql -h 127.0.0.1 -U metrics -d lens -XAtc "$3" 2>&1
}
ready_lines() { docker logs "$prefix-$1" 2>&1 | grep -c 'database system is ready to accept connections' || true; }

contains "no password is refused, and the message says how to go on" "POSTGRES_PASSWORD_FILE" "$(docker run --rm "$image" 2>&1 || true)"
contains "postgres --version makes no cluster" "postgres (PostgreSQL) 17" "$(docker run --rm "$image" --version)"
expect "another command runs as it is, and not as root" postgres "$(docker run --rm "$image" id -un)"

# The first start, with everything: own user, database, password from a file, initialisation scripts, settings.
printf 'CREATE TABLE seen (what text);\nINSERT INTO seen VALUES (%s);\n' "'sql'" >"$work/1-table.sql"
printf 'INSERT INTO seen VALUES (%s);\n' "'gz'" | gzip >"$work/2-row.sql.gz"
printf '#!/bin/sh\npsql -U "$POSTGRES_USER" -d "$POSTGRES_DB" -c "INSERT INTO seen VALUES (%s)"\n' "'run'" >"$work/3-run.sh"
printf 'run_sql -c "INSERT INTO seen VALUES (%s)"\n' "'sourced'" >"$work/4-source.sh"
echo "nothing" >"$work/5-note.txt"
echo "se'cr\"et \$word" >"$work/password"
chmod 755 "$work" "$work/3-run.sh"
chmod 644 "$work"/[1245]* "$work/password"
secret=$(<"$work/password")
volumes+=("$prefix-data")
start first -v "$prefix-data:/var/lib/postgresql/data" -v "$work:/docker-entrypoint-initdb.d:ro" -v "$work/password:/run/secrets/db:ro" \
  -e POSTGRES_USER=metrics -e POSTGRES_DB=lens -e POSTGRES_PASSWORD_FILE=/run/secrets/db -e TS_TUNE_MEMORY=1GB -e TS_TUNE_NUM_CPUS=3 \
  "$image" postgres -c log_connections=on
until_healthy first
expect "the log says twice that it is ready, as the official image's does" 2 "$(ready_lines first)"
expect "the password with quotes works by TCP" 1 "$(sql first "$secret" 'SELECT 1')"
contains "a wrong password does not" "password authentication failed" "$(sql first wrong 'SELECT 1' || true)"
expect "every kind of initialisation script ran, in order" "sql gz run sourced" "$(sql first "$secret" "SELECT string_agg(what, ' ' ORDER BY ctid) FROM seen")"
contains "other files are named and left alone" "ignoring /docker-entrypoint-initdb.d/5-note.txt" "$(docker logs "$prefix-first" 2>&1)"
expect "TimescaleDB is there, in the Apache-2 edition" "apache" "$(sql first "$secret" 'SHOW timescaledb.license')"
expect "a hypertable takes and gives rows" "1000" "$(sql first "$secret" "
  CREATE TABLE sample (time timestamptz NOT NULL, v float8[]);
  SELECT create_hypertable('sample', by_range('time'));
  INSERT INTO sample SELECT timestamptz '2026-01-01' + i * interval '1 hour', ARRAY[i] FROM generate_series(1, 1000) i;
  SELECT count(*) FROM sample" | tail -n 1)"
expect "memory and processors follow the environment" "256MB 3 on" "$(sql first "$secret" \
  "SELECT concat_ws(' ', current_setting('shared_buffers'), current_setting('max_parallel_workers'), current_setting('log_connections'))")"
expect "data checksums are on" on "$(sql first "$secret" 'SHOW data_checksums')"
expect "a parallel join needs more shared memory than a container's /dev/shm has" 3000000 "$(sql first "$secret" "
  SET work_mem = '256MB'; SET max_parallel_workers_per_gather = 2; SET min_parallel_table_scan_size = 0; SET parallel_setup_cost = 0;
  SET parallel_tuple_cost = 0; SET enable_mergejoin = off; SET enable_nestloop = off;
  CREATE TABLE big AS SELECT i FROM generate_series(1, 3000000) i; ANALYZE big;
  SELECT count(*) FROM big a JOIN big b USING (i)" | tail -n 1)"
# The pattern comes by standard input, so that the search does not find itself.
expect "no process has the password in its environment or arguments" "" \
  "$(docker exec -i "$prefix-first" sh -c 'grep -lFf - /proc/[0-9]*/environ /proc/[0-9]*/cmdline 2>/dev/null || true' <"$work/password")"
expect "nor has a file" "" "$(docker exec -i "$prefix-first" sh -c 'grep -rlFf - /tmp /var/tmp /var/lib/postgresql || true' <"$work/password")"
sql first "$secret" "ALTER SYSTEM SET work_mem = '77MB'" >/dev/null

docker stop -t 30 "$prefix-first" >/dev/null
expect "a stop ends with 0" 0 "$(docker inspect -f '{{.State.ExitCode}}' "$prefix-first")"
contains "and is a clean one" "database system is shut down" "$(docker logs --tail 3 "$prefix-first" 2>&1)"
start second -v "$prefix-data:/var/lib/postgresql/data" -e POSTGRES_USER=metrics -e POSTGRES_DB=lens -e TS_TUNE_MEMORY=2GB "$image"
until_healthy second
expect "data survives in the volume, new memory is used, ALTER SYSTEM wins" "1000 512MB 77MB" "$(sql second "$secret" \
  "SELECT concat_ws(' ', count(*), current_setting('shared_buffers'), current_setting('work_mem')) FROM sample")"
expect "the second start starts once" 1 "$(ready_lines second)"

# A first start that fails or is stopped half-way is repeated, and never taken for a finished one.
volumes+=("$prefix-half")
mkdir "$work/slow"
printf 'CREATE TABLE half ();\n' >"$work/slow/1.sql"
printf 'echo reached; sleep 60\n' >"$work/slow/2.sh"
chmod -R a+rX "$work/slow"
start half -v "$prefix-half:/var/lib/postgresql/data" -v "$work/slow:/docker-entrypoint-initdb.d:ro" -e POSTGRES_PASSWORD=x "$image"
for _ in $(seq 60); do docker logs "$prefix-half" 2>&1 | grep -q '^reached' && break; sleep 0.5; done
expect "it is not healthy during initialisation" starting "$(health half)"
since=$(date +%s)
docker stop -t 30 "$prefix-half" >/dev/null
if (($(date +%s) - since < 10)); then ok "a stop during initialisation is answered at once"; else bad "a stop during initialisation waits"; fi
rm "$work/slow/2.sh"
docker start "$prefix-half" >/dev/null
until_healthy half
contains "the next start begins again" "the first start did not finish; beginning again" "$(docker logs "$prefix-half" 2>&1)"
contains "and comes to its end" half "$(docker exec "$prefix-half" psql -U postgres -XAtc '\dt')"
printf 'SELECT broken;\n' >"$work/slow/1.sql"
contains "a failing script fails the start" 'column "broken" does not exist' \
  "$(docker run --rm -v "$work/slow:/docker-entrypoint-initdb.d:ro" -e POSTGRES_PASSWORD=x "$image" 2>&1 && echo 'it went on')"

mkdir "$work/bind" && chmod 755 "$work/bind"
contains "a directory of somebody else is refused with a way out" "--user root" \
  "$(docker run --rm -v "$work/bind:/var/lib/postgresql/data" -e POSTGRES_PASSWORD=x "$image" 2>&1 || true)"
start root --user root -v "$work/bind:/var/lib/postgresql/data" -e POSTGRES_HOST_AUTH_METHOD=trust "$image"
until_healthy root
expect "with --user root the directory is handed over and the server is not root" postgres "$(docker exec "$prefix-root" stat -c %U /proc/1)"
expect "trust needs no password" 1 "$(docker exec "$prefix-root" psql -h 127.0.0.1 -U postgres -XAtc 'SELECT 1')"
contains "a wrong TS_TUNE_MEMORY is named" "TS_TUNE_MEMORY is 'lots'" "$(docker run --rm -e POSTGRES_PASSWORD=x -e TS_TUNE_MEMORY=lots "$image" 2>&1 || true)"

echo
[ "$failures" = 0 ] || { echo "$failures failed"; exit 1; }
echo "all as promised"
