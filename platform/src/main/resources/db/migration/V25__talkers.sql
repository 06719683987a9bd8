-- Network flows by 5 minutes, hour and day, and who talks most in each of them.

-- Each packet once, whoever saw it: of several observers one counts. Of each sender the keys with most bytes have rows of
-- their own; the others are folded into one row with the receiver -1 (internal) and one with -2 (elsewhere).
create table flow_5m (
  time       timestamptz not null,                     -- begin of the bucket
  bytes      bigint not null,
  packets    bigint not null,
  flows      bigint not null,                          -- records that begin in the bucket
  sessions   bigint not null,
  resets     bigint not null,
  drops      bigint not null,                          -- packets that were not forwarded
  peak       bigint not null,                          -- bytes of the minute that has most; at most so many in folded rows
  keys       bigint not null,                          -- 1; in folded rows how many were folded, once for each 5 minutes
  src        int not null,                             -- endpoint
  dst        int not null,                             -- endpoint, or -1, -2
  port       int not null,                             -- of the service; 0 in folded rows
  proto      smallint not null,                        -- 0 in folded rows
  to_service boolean not null                          -- false in folded rows
);
create table flow_1h (like flow_5m including all);
create table flow_1d (like flow_5m including all);

-- What each bucket of each level came from and how much of it was folded.
create table flow_bucket (
  level           text not null check (level in ('5m', '1h', '1d')),
  time            timestamptz not null,
  bytes           bigint not null,
  folded_bytes    bigint not null,                     -- of these, in folded rows
  folded_keys     bigint not null,
  duplicate_bytes bigint not null,                     -- that other observers told, too; they are not in bytes
  duplicate_rows  bigint not null,
  primary key (level, time)
);

-- The talkers of one dimension in one bucket. A list is one row, because it is always read whole: the arrays have one
-- element a talker, in the order of the keys. A talker that is not in the list has at most "bound".
--
-- dimension: 0 vm, 1 host, 2 cluster, 3 tier, 4 network, 5 port, 6 protocol, 7 pair
-- direction: 0 sent, 1 received, 2 both (the only one of port, protocol and pair)
-- traffic:   0 east-west, 1 north-south, 2 external, 3 all
-- keys:      of vm, host, cluster: object; tier: talker_tier; network: flow_network; port: protocol * 65536 + port;
--            pair: sender * 2^32 + receiver, each the object * 2, or where there is none the endpoint * 2 + 1
-- measures:  bytes, packets, flows, sessions, resets, drops, peak
create table talker_5m (
  time       timestamptz not null,
  dimension  smallint not null check (dimension between 0 and 7),
  direction  smallint not null check (direction between 0 and 2),
  traffic    smallint not null check (traffic between 0 and 3),
  talkers    int not null,                             -- how many there were, at least
  bound      bigint[] not null,                        -- by measure
  total      bigint[] not null,                        -- by measure, of all talkers and of traffic without talker
  unassigned bigint[] not null,                        -- by measure, of traffic without talker
  keys       bigint[] not null,                        -- ascending
  bytes      bigint[] not null,
  packets    bigint[] not null,
  flows      bigint[] not null,
  sessions   bigint[] not null,
  resets     bigint[] not null,
  drops      bigint[] not null,
  peak       bigint[] not null,
  missed     bigint[],                                 -- by how much a value may be too small: all of bytes, then all of packets, ...; NULL = by nothing
  primary key (dimension, direction, traffic, time)
);
create table talker_1h (like talker_5m including all);
create table talker_1d (like talker_5m including all);

-- A number for each application tier that ever talked.
create table talker_tier (
  id   int generated always as identity primary key,
  name text not null unique
);

-- Rankings that people keep, send by a schedule and watch.
create table talker_report (
  id         uuid primary key,
  name       text not null unique,
  definition jsonb not null,                           -- as the API writes it
  pack       text,
  version    bigint not null default 1,                -- the ETag
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null
);
comment on table talker_report is 'Rankings of who uses the network that people keep.';

create table talker_report_history (
  talker_report_id uuid not null,
  version          bigint not null,
  action           text not null check (action in ('created', 'changed', 'imported', 'restored', 'deleted')),
  at               timestamptz not null,
  by               text not null,
  name             text not null,
  definition       jsonb not null,
  pack             text,
  primary key (talker_report_id, version)
);

-- What a report showed and whether somebody had more than the share that is allowed.
create table talker_report_run (
  report_id  uuid not null references talker_report on delete cascade,
  due_at     timestamptz not null,
  ran_at     timestamptz not null,
  answer     jsonb not null,                           -- as GET /top-talkers gives it
  over_share boolean not null,
  primary key (report_id, due_at)
);

do $$
begin
  if exists (select from pg_extension where extname = 'timescaledb') then
    perform create_hypertable('flow_5m', 'time', chunk_time_interval => interval '1 day', create_default_indexes => false);
    perform create_hypertable('flow_1h', 'time', chunk_time_interval => interval '7 days', create_default_indexes => false);
    perform create_hypertable('flow_1d', 'time', chunk_time_interval => interval '90 days', create_default_indexes => false);
    perform create_hypertable('talker_5m', 'time', chunk_time_interval => interval '1 day', create_default_indexes => false);
    perform create_hypertable('talker_1h', 'time', chunk_time_interval => interval '7 days', create_default_indexes => false);
    perform create_hypertable('talker_1d', 'time', chunk_time_interval => interval '90 days', create_default_indexes => false);
  end if;
end $$;

-- Of a whole bucket, and of what one end sent or received.
create index flow_5m_src on flow_5m (time, src);
create index flow_1h_src on flow_1h (src, time);
create index flow_1d_src on flow_1d (src, time);
create index flow_5m_dst on flow_5m (dst, time);
create index flow_1h_dst on flow_1h (dst, time);
create index flow_1d_dst on flow_1d (dst, time);
create index flow_1h_time on flow_1h using brin (time);
create index flow_1d_time on flow_1d using brin (time);
