-- Secrets of notifications, and who we are in SNMP.

create table secret (
  name        text primary key,
  key_id      text not null,           -- of the key that sealed it; the key itself is never here
  nonce       bytea not null,
  sealed      bytea not null,          -- AES-256-GCM, bound to the name
  version     bigint not null,         -- counts the values it had
  created_at  timestamptz not null,
  created_by  text not null,
  updated_at  timestamptz not null,
  updated_by  text not null
);

-- Receivers of SNMP v3 know a sender by its engine id, and drop what seems older than what they had before. So there is
-- one id for all nodes, kept for ever, and one time: seconds since started_at. Only when the clock was set back a new
-- boot begins.
create table snmp_engine (
  one         boolean primary key default true check (one),
  engine_id   bytea not null,
  boots       integer not null check (boots between 1 and 2147483646),
  started_at  timestamptz not null,
  used_at     timestamptz not null
);
