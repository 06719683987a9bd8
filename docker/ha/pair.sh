#!/usr/bin/env bash
# A database server of a pair, of which one is the primary and the other its standby.
#   pair.sh start postgres ...   as entrypoint: an empty volume becomes a copy of the peer; then entrypoint.sh
#   pair.sh promote              on the standby, when the primary is gone: makes it the primary, which waits for nobody
#   pair.sh synchronous          on the primary, when the standby is back: commits wait for it again
# DATABASE_NAME is this server, DATABASE_PEER the other; both are names of hosts. DATABASE_FIRST names the one that makes an empty
# database where there is none: given once, as later it would be a second beginning.
set -euo pipefail
say() { echo "pair: $*" >&2; }
fail() { say "$*"; exit 1; }

as_replicator() { # HOST SQL
  PGPASSWORD=$DATABASE_REPLICATION_PASSWORD PGCONNECT_TIMEOUT=5 psql -XAtq -h "$1" -U replicator -d postgres -c "$2" 2>/dev/null
}
local_sql() { psql -XAtq -v ON_ERROR_STOP=1 -U "$POSTGRES_USER" -d postgres "$@"; }
slot() { echo "${1//-/_}"; } # names of slots and standbys have no dashes

# As standby of the peer, from a copy of it.
copy() {
  local slot
  slot=$(slot "$DATABASE_NAME")
  say "the volume is empty; copying $DATABASE_PEER."
  rm -rf "$PGDATA/copy"
  as_replicator "$DATABASE_PEER" "select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = '$slot' and not active" >/dev/null
  PGPASSWORD=$DATABASE_REPLICATION_PASSWORD pg_basebackup -h "$DATABASE_PEER" -U replicator -D "$PGDATA/copy" -X stream --checkpoint=fast -C -S "$slot"
  cat >>"$PGDATA/copy/postgresql.auto.conf" <<EOF
primary_conninfo = 'host=$DATABASE_PEER user=replicator password=$DATABASE_REPLICATION_PASSWORD application_name=$slot'
primary_slot_name = '$slot'
EOF
  touch "$PGDATA/copy/standby.signal"
  mv "$PGDATA/copy/PG_VERSION" "$PGDATA/copy/PG_VERSION.last"
  mv "$PGDATA"/copy/* "$PGDATA/"
  rmdir "$PGDATA/copy"
  mv "$PGDATA/PG_VERSION.last" "$PGDATA/PG_VERSION" # last: without it the copy is not complete
}

start() {
  local peer
  umask 077
  peer=$(as_replicator "$DATABASE_PEER" 'select pg_is_in_recovery()') || peer=none
  if [ ! -s "$PGDATA/PG_VERSION" ] || [ -e "$PGDATA/.initialising" ]; then
    case $peer in
      f)
        find "$PGDATA" -mindepth 1 -maxdepth 1 ! -name lost+found -exec rm -rf {} +
        copy
        ;;
      t) fail "$DATABASE_PEER is a standby itself. Promote it first: pair.sh promote." ;;
      *)
        [ "${DATABASE_FIRST:-}" = "$DATABASE_NAME" ] \
          || fail "the volume is empty and $DATABASE_PEER does not answer as a primary. The very first start names who begins: DATABASE_FIRST=database-a."
        ;;
    esac
  elif [ "$peer" = f ] && [ ! -e "$PGDATA/standby.signal" ]; then
    fail "$DATABASE_PEER is the primary now, and this server was it before. What it has may differ: remove its volume, and it becomes a standby."
  fi
  if [ -e "$PGDATA/standby.signal" ]; then
    # After an update of the image the extension is updated on the primary, and comes from there.
    sed -n "s/^default_version *= *'\(.*\)'/\1/p" "$(pg_config --sharedir)/extension/timescaledb.control" >"$PGDATA/timescaledb.version"
  fi
  exec entrypoint.sh "$@"
}

promote() {
  [ "$(local_sql -c 'select pg_is_in_recovery()')" = t ] || fail "this server is the primary already."
  if [ "$(as_replicator "$DATABASE_PEER" 'select pg_is_in_recovery()')" = f ]; then
    fail "$DATABASE_PEER still answers as the primary. Stop it first: there must never be two."
  fi
  local_sql -c "alter system set synchronous_standby_names = ''"
  local_sql -c 'select pg_reload_conf()' -c 'select pg_promote()' >/dev/null
  [ "$(local_sql -c 'select pg_is_in_recovery()')" = f ] || fail "the server has not become the primary within a minute; see its log."
  say "$DATABASE_NAME is the primary. It has no standby: start the other with an empty volume, then pair.sh synchronous."
}

synchronous() {
  [ "$(local_sql -c "select count(*) from pg_stat_replication where application_name = '$(slot "$DATABASE_PEER")' and state = 'streaming'")" = 1 ] \
    || fail "$DATABASE_PEER is not a standby of this server, or has not caught up. Commits would wait for it for ever."
  local_sql -c "alter system set synchronous_standby_names = '$(slot "$DATABASE_PEER")'"
  local_sql -c 'select pg_reload_conf()' >/dev/null
  say "commits wait for $DATABASE_PEER."
}

export POSTGRES_USER=${POSTGRES_USER:-postgres}
case ${1:-} in
  start) start "${@:2}" ;;
  promote | synchronous) "$1" ;;
  *) fail "start, promote or synchronous?" ;;
esac
