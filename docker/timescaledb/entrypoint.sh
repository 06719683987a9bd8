#!/usr/bin/env bash
# Starts PostgreSQL with TimescaleDB; on an empty data directory makes the cluster first.
# The variables are described in docker/README.md.
set -euo pipefail

say() { echo "entrypoint: $*" >&2; }
fail() { say "$*"; exit 1; }

# A secret may come in a file: NAME_FILE=/run/secrets/... stands for NAME.
from_file() {
  local name=$1 file="${1}_FILE"
  [ -n "${!file:-}" ] || return 0
  [ -z "${!name:-}" ] || fail "$name and $file are both set; keep one of them."
  [ -r "${!file}" ] || fail "$file names ${!file}, which cannot be read."
  export "$name"="$(<"${!file}")"
  unset "$file"
}

# Megabytes for PostgreSQL to plan with: TS_TUNE_MEMORY, else the container's memory limit, else half of the machine's
# memory, as without a limit other programs are likely to share it.
memory_mb() {
  local total limit file
  if [ -n "${TS_TUNE_MEMORY:-}" ]; then
    [[ $TS_TUNE_MEMORY =~ ^([0-9]+)\ ?(MB|GB|TB)$ ]] || fail "TS_TUNE_MEMORY is '$TS_TUNE_MEMORY'; write it like 512MB or 8GB."
    case ${BASH_REMATCH[2]} in
      MB) echo "${BASH_REMATCH[1]}" ;;
      GB) echo $((BASH_REMATCH[1] * 1024)) ;;
      TB) echo $((BASH_REMATCH[1] * 1024 * 1024)) ;;
    esac
    return
  fi
  total=$(awk '$1 == "MemTotal:" {print int($2 / 1024)}' /proc/meminfo)
  for file in /sys/fs/cgroup/memory.max /sys/fs/cgroup/memory/memory.limit_in_bytes; do
    [ -r "$file" ] || continue
    limit=$(<"$file")
    [ "$limit" != max ] || continue
    limit=$((limit / 1024 / 1024))
    ((limit >= total)) || { echo "$limit"; return; }
  done
  echo $((total / 2))
}

cpus() {
  local quota="" period=""
  if [ -n "${TS_TUNE_NUM_CPUS:-}" ]; then
    [[ $TS_TUNE_NUM_CPUS =~ ^[1-9][0-9]*$ ]] || fail "TS_TUNE_NUM_CPUS is '$TS_TUNE_NUM_CPUS'; write a whole number of at least 1."
    echo "$TS_TUNE_NUM_CPUS"
    return
  fi
  if [ -r /sys/fs/cgroup/cpu.max ]; then
    read -r quota period </sys/fs/cgroup/cpu.max
  elif [ -r /sys/fs/cgroup/cpu/cpu.cfs_quota_us ]; then
    quota=$(</sys/fs/cgroup/cpu/cpu.cfs_quota_us) period=$(</sys/fs/cgroup/cpu/cpu.cfs_period_us)
  fi
  if [[ $quota =~ ^[0-9]+$ ]]; then echo $(((quota + period - 1) / period)); else nproc; fi
}

between() { # LOW VALUE HIGH
  if (($2 < $1)); then echo "$1"; elif (($2 > $3)); then echo "$3"; else echo "$2"; fi
}

# Written at every start, as memory and processors may have changed. ALTER SYSTEM and -c arguments come later and win.
write_settings() {
  local memory cpus connections=${TS_TUNE_MAX_CONNS:-100} shared
  cat >"$PGDATA/container.conf" <<EOF
# Written by the container at every start; changes here are lost.
listen_addresses = '*'
shared_preload_libraries = 'timescaledb'
timescaledb.telemetry_level = ${TIMESCALEDB_TELEMETRY:-off}
# Parallel queries would otherwise be limited by /dev/shm, which is 64 MB in a container.
dynamic_shared_memory_type = sysv
EOF
  [ -z "${NO_TS_TUNE:-}" ] || return 0
  [[ $connections =~ ^[1-9][0-9]*$ ]] || fail "TS_TUNE_MAX_CONNS is '$connections'; write a whole number of at least 1."
  memory=$(memory_mb)
  cpus=$(cpus)
  shared=$(between 32 $((memory / 4)) 16384)
  cat >>"$PGDATA/container.conf" <<EOF
# For $memory MB of memory, $cpus processors and $connections connections:
max_connections = $connections
shared_buffers = ${shared}MB
effective_cache_size = $((memory * 3 / 4))MB
work_mem = $(between 4 $(((memory - shared) / (3 * connections))) 256)MB
maintenance_work_mem = $(between 32 $((memory / 16)) 2048)MB
max_worker_processes = $((cpus + 20))
max_parallel_workers = $cpus
max_parallel_workers_per_gather = $(between 1 $((cpus / 2)) 4)
max_parallel_maintenance_workers = $(between 1 $((cpus / 2)) 4)
# A query over a long time locks every chunk and every index of it.
max_locks_per_transaction = 256
# Metrics are written all the time: few checkpoints, spread out, and small full-page images.
max_wal_size = 4GB
checkpoint_timeout = 15min
wal_compression = lz4
default_toast_compression = lz4
# Solid-state disks.
random_page_cost = 1.1
effective_io_concurrency = 200
# A plan has one node per chunk; compiling them costs more than it saves.
jit = off
EOF
}

run_sql() { psql -X -q -v ON_ERROR_STOP=1 -U "$POSTGRES_USER" -d "$POSTGRES_DB" "$@"; }

run_init_file() {
  case $1 in
    *.sh)
      say "running $1"
      # shellcheck disable=SC1090
      if [ -x "$1" ]; then "$1"; else . "$1"; fi
      ;;
    *.sql) say "running $1"; run_sql -f "$1" ;;
    *.sql.gz) say "running $1"; gzip -dc "$1" | run_sql ;;
    *) say "ignoring $1: neither *.sh nor *.sql nor *.sql.gz" ;;
  esac
}

start_locally() { env -u POSTGRES_PASSWORD -u PGPASSWORD pg_ctl -D "$PGDATA" -w -t 300 -o "-c listen_addresses=''" start; }
stop_locally() { pg_ctl -D "$PGDATA" -w -t 300 -m fast stop; }

# The directory is marked until all of it is done. What an interrupted or failed first start left behind has never
# served anybody, so the next start throws it away and begins again.
initialise() {
  local method=${POSTGRES_HOST_AUTH_METHOD:-scram-sha-256} file
  local -a auth=(--auth-local=trust --auth-host="$method")
  if [ -z "${POSTGRES_PASSWORD:-}" ]; then
    [ "$method" = trust ] || fail "the database needs a password. Set POSTGRES_PASSWORD or POSTGRES_PASSWORD_FILE;" \
      "POSTGRES_HOST_AUTH_METHOD=trust lets everyone in without one and is for tests on closed networks only."
    say "POSTGRES_HOST_AUTH_METHOD=trust: whoever reaches the port is superuser."
  fi
  touch "$PGDATA/.initialising"
  # The password goes through a pipe: it is in no file and in no list of processes.
  # shellcheck disable=SC2086
  initdb -D "$PGDATA/new" -U "$POSTGRES_USER" ${POSTGRES_PASSWORD:+--pwfile=/dev/fd/3} "${auth[@]}" -E UTF8 \
    --locale-provider=builtin --locale=C.UTF-8 ${POSTGRES_INITDB_ARGS---data-checksums} 3< <(printf '%s\n' "${POSTGRES_PASSWORD:-}")
  mv "$PGDATA"/new/* "$PGDATA/"
  rmdir "$PGDATA/new"
  echo "host all all all $method" >>"$PGDATA/pg_hba.conf"
  printf "\n# Before this line: PostgreSQL's defaults. In it: what the container chooses. After it: yours.\ninclude = 'container.conf'\n" \
    >>"$PGDATA/postgresql.conf"
  write_settings

  start_locally
  [ "$POSTGRES_DB" = postgres ] || createdb -U "$POSTGRES_USER" --maintenance-db=postgres -- "$POSTGRES_DB"
  PGOPTIONS="-c client_min_messages=error" run_sql -c 'CREATE EXTENSION IF NOT EXISTS timescaledb'
  export PGPASSWORD=${POSTGRES_PASSWORD:-}
  for file in /docker-entrypoint-initdb.d/*; do
    [ ! -e "$file" ] || run_init_file "$file"
  done
  unset PGPASSWORD
  stop_locally
  library_version >"$PGDATA/timescaledb.version"
  rm "$PGDATA/.initialising"
  say "PostgreSQL is initialised; starting it."
}

library_version() { sed -n "s/^default_version *= *'\(.*\)'/\1/p" "$(pg_config --sharedir)/extension/timescaledb.control"; }

# After an update of the image only the new library is there, and a database that names the old one cannot be used.
update_extension() {
  local database
  say "this image has TimescaleDB $(library_version), the data had $(cat "$PGDATA/timescaledb.version" 2>/dev/null || echo an unknown version); updating."
  start_locally
  while IFS= read -r database; do
    # The update must be the first thing that its session does, hence a session without the extension to look first.
    PGDATABASE=$database PGOPTIONS='-c timescaledb.disable_load=on' psql -X -At -U "$POSTGRES_USER" \
      -c "SELECT 1 FROM pg_extension WHERE extname = 'timescaledb'" | grep -q 1 || continue
    PGDATABASE=$database psql -X -q -U "$POSTGRES_USER" -v ON_ERROR_STOP=1 -c 'ALTER EXTENSION timescaledb UPDATE'
    say "updated database $database."
  done < <(psql -X -At -U "$POSTGRES_USER" -d template1 -c 'SELECT datname FROM pg_database WHERE datallowconn ORDER BY 1')
  stop_locally
  library_version >"$PGDATA/timescaledb.version"
}

prepare() {
  local major
  if [ -e "$PGDATA/.initialising" ]; then
    say "the first start did not finish; beginning again."
    find "$PGDATA" -mindepth 1 -maxdepth 1 ! -name lost+found -exec rm -rf {} +
  fi
  if [ ! -s "$PGDATA/PG_VERSION" ]; then
    [ -z "$(find "$PGDATA" -mindepth 1 -maxdepth 1 ! -name lost+found -print -quit)" ] \
      || fail "$PGDATA holds files but no database. Mount an empty volume there, or set PGDATA to an empty directory below it."
    initialise
    return
  fi
  major=$(<"$PGDATA/PG_VERSION")
  [ "$major" = 17 ] || fail "$PGDATA was written by PostgreSQL $major and this is PostgreSQL 17." \
    "Dump the databases with version $major and restore them into an empty volume."
  write_settings
  [ "$(cat "$PGDATA/timescaledb.version" 2>/dev/null)" = "$(library_version)" ] || update_extension
}

[ "${1:-}" ] && [ "${1#-}" = "$1" ] || set -- postgres "$@"
[ "$1" = postgres ] || exec "$@"
for argument; do
  case $argument in -\? | --help | -V | --version | --describe-config | -C) exec "$@" ;; esac
done

# With --user root, as a bind mount may need it: hand the directory over and go on as postgres.
if [ "$(id -u)" = 0 ]; then
  mkdir -p "$PGDATA"
  chown -R postgres:postgres "$PGDATA"
  exec setpriv --reuid=postgres --regid=postgres --init-groups -- "$0" "$@"
fi

for name in POSTGRES_PASSWORD POSTGRES_USER POSTGRES_DB POSTGRES_INITDB_ARGS; do from_file "$name"; done
export POSTGRES_USER=${POSTGRES_USER:-postgres}
export POSTGRES_DB=${POSTGRES_DB:-$POSTGRES_USER}
umask 077
{ mkdir -p "$PGDATA" && chmod 700 "$PGDATA"; } 2>/dev/null \
  || fail "$PGDATA does not belong to user $(id -un) (uid $(id -u)). Use a named volume, give the directory to that uid, or start once with --user root."

# In the background, so that a stop is answered at once: nobody uses the database yet, and the next start begins again.
trap 'say "stopped before the database was ready."; exit 143' INT TERM QUIT
prepare &
wait $! || exit
trap - INT TERM QUIT

unset POSTGRES_PASSWORD
exec "$@"
