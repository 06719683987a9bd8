-- Network flows: who sent what to whom, by minute, and what the addresses and exporters are.

-- Names of networks as the user defined them; the newest version is in force.
create table flow_networks_version (
  version    bigint generated always as identity primary key,
  format     text not null check (format in ('yaml', 'csv')),
  text       text not null,                            -- as the user wrote it
  networks   int not null,                             -- how many it defines
  changed_at timestamptz not null,
  changed_by text not null
);

-- A number for each name that any version had, so that flows stay with it.
create table flow_network (
  id   int generated always as identity primary key,
  name text not null unique
);

-- One end of a flow: an address together with the object that had it, so that an address that moves is a second
-- endpoint. Without an address it stands for all addresses that have no endpoint of their own: those outside, by
-- network, and those inside that are more than the guard allows.
create table endpoint (
  id         int generated always as identity primary key,
  address    inet,
  object_id  int references object on delete set null, -- of an internal address at least its Peerlens/IpAddress
  network_id int references flow_network,              -- NULL = in no named network
  internal   boolean not null,
  first_seen timestamptz not null,
  check (address is not null or object_id is null)
);
create unique index endpoint_address on endpoint (address, object_id) where address is not null;
create unique index endpoint_folded on endpoint (internal, network_id) nulls not distinct where address is null;
create index endpoint_object on endpoint (object_id) where object_id is not null;
create index endpoint_network on endpoint (network_id) where network_id is not null;

-- Who saw flows. The same packet seen by two observers is told twice.
create table flow_observer (
  id         int generated always as identity primary key,
  exporter   inet not null,
  domain     bigint not null,                          -- observation domain or source id, 0 = not said
  version    smallint not null,                        -- 0 unknown, 1 sFlow 5, 2 NetFlow v5, 3 NetFlow v9, 4 IPFIX
  first_seen timestamptz not null,
  unique (exporter, domain, version)
);

-- What exporters said of themselves apart from their flows.
create table flow_exporter (
  address      inet not null,
  version      smallint not null,                      -- as in flow_observer
  sampler      bigint not null,                        -- 0 = what holds where a record names none
  population   bigint not null,                        -- packets of which "sampled" were looked at, 0 = not said
  sampled      bigint not null,
  system_start timestamptz,                            -- when it started; NULL = not said
  told_at      timestamptz not null,
  primary key (address, version, sampler)
);

-- Sums of a minute, appended as they come and never changed: several rows may have the same key, and their sums are to be
-- added. Kafka's offsets move in the transaction that appends, so each record is in here once. All observers are in
-- here; which of them counts is decided when it is rolled up. The widest columns stand first, so that nothing is padded.
create table flow_part (
  time       timestamptz not null,                     -- begin of the minute
  bytes      bigint not null,                          -- sent by src, received by dst
  packets    bigint not null,
  drops      bigint not null,                          -- packets that were not forwarded
  observer   int not null,
  src        int not null,                             -- endpoint
  dst        int not null,                             -- endpoint
  port       int not null,                             -- of the service, whichever side it is on; ICMP: type * 256 + code
  flows      int not null,                             -- records that begin in this minute
  sessions   int not null,                             -- of those, begins of sessions; 0 in rows that come from the service
  resets     int not null,
  proto      smallint not null,                        -- IANA's number
  to_service boolean not null,                         -- whether the bytes go to the service, not from it
  egress     boolean not null                          -- whether the records say that they were seen going out
);

-- Dead letters of flows that were sent again and are counted. A letter may be sent twice, its flows count once.
create table flow_replayed (
  dead_letter bigint primary key,                      -- its id; the letter itself may be gone
  counted_at  timestamptz not null
);

-- How far each level is complete, and from where it is kept.
create table flow_level_state (
  level        text primary key check (level in ('1m', '5m', '1h', '1d')),
  rolled_until timestamptz,                            -- every bucket that begins before is rolled up; NULL = none yet
  kept_from    timestamptz not null default '-infinity'
);
insert into flow_level_state (level) values ('1m'), ('5m'), ('1h'), ('1d');

-- Buckets of flows that changed after they were rolled up; as rollup_dirty is for samples.
create table flow_dirty (
  bucket   timestamptz not null,                       -- begin of the bucket
  level    text not null default '5m' check (level in ('5m', '1h', '1d')),
  noted_at timestamptz not null default now()
);

do $$
begin
  if exists (select from pg_extension where extname = 'timescaledb') then
    perform create_hypertable('flow_part', 'time', chunk_time_interval => interval '2 hours', create_default_indexes => false);
  end if;
end $$;

-- Flows arrive nearly in the order of time.
create index flow_part_time on flow_part using brin (time) with (pages_per_range = 32, autosummarize = on);
