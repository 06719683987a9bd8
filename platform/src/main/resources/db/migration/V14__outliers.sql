-- Groups of peers, what was judged of them, and the events of members that are unlike their peers.

create table outlier_group (
  id         uuid primary key,                        -- the same in every installation that has it
  name       text not null,
  definition jsonb not null,                          -- as the API and rules files write it
  pack       text,                                    -- the pack it came with
  version    bigint not null default 1,               -- the ETag
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null,
  unique (name) deferrable initially deferred         -- an import may exchange names
);
create trigger outlier_group_changed after insert or update or delete on outlier_group
  for each statement execute function rule_changed();
comment on table outlier_group is 'Groups of peers, in which the one that differs is looked for.';

-- One row for each version, the present one included; stays when the group is deleted.
create table outlier_group_history (
  outlier_group_id uuid not null,
  version          bigint not null,
  action           text not null check (action in ('created', 'changed', 'imported', 'restored', 'deleted')),
  at               timestamptz not null,
  by               text not null,
  name             text not null,
  definition       jsonb not null,
  pack             text,
  primary key (outlier_group_id, version)
);

-- Members that are expected to differ: for a time, or for good.
create table outlier_exception (
  group_id  uuid not null references outlier_group on delete cascade,
  object_id int not null references object on delete cascade,
  until     timestamptz,                              -- NULL = for good
  reason    text,
  by        text not null,
  at        timestamptz not null,
  primary key (group_id, object_id)
);
create trigger outlier_exception_changed after insert or update or delete on outlier_exception
  for each statement execute function rule_changed();

-- How the last bucket of a group went. Written by the evaluation loop, read by the API. Arrays over members are in the order of
-- members; those over metrics and members hold one metric after the other.
create table outlier_state (
  group_id uuid primary key,
  basis    text not null,                             -- what the group has learned by; another one starts anew
  bucket   timestamptz not null,                      -- begin of the bucket that was judged last
  width    interval not null,
  state    text not null,
  metrics  text[] not null,                           -- their keys
  states   text[] not null,                           -- for each metric
  members  int[] not null,                            -- object ids, ascending
  judged   int not null,
  judged_of int[] not null,                           -- for each metric
  centre   float8[] not null,                         -- for each metric; NaN = none
  lower    float8[] not null,
  upper    float8[] not null,
  bands    int[] not null,                            -- for each metric, members of the lower band of a split group; 0 = not split
  values   float4[] not null,                         -- metrics x members; NaN = no value
  expected float4[] not null,                         -- metrics x members: what is expected of each; NaN = not judged
  low      float4[] not null,                         -- metrics x members: what is accepted of each
  high     float4[] not null,
  scores   float4[] not null,                         -- metrics x members
  score    float4[] not null,                         -- members
  nanos    bigint not null,
  error    text                                       -- why nothing was judged; NULL = it was
);

-- What a group has learned, every few buckets: who takes it over goes on from here through outlier_bucket.
create table outlier_learned (
  group_id uuid primary key,
  basis    text not null,
  bucket   timestamptz not null,                      -- begin of the last bucket in it
  state    bytea not null
);
alter table outlier_learned alter column state set storage external;

-- What was judged, as it was then.
create table outlier_bucket (
  group_id uuid not null,
  bucket   timestamptz not null,                      -- its begin
  basis    text not null,
  state    text not null,
  judged   int not null,
  metrics  text[] not null,
  members  int[] not null,
  centre   float8[] not null,
  lower    float8[] not null,
  upper    float8[] not null,
  values   float4[] not null,
  scores   float4[] not null,
  score    float4[] not null
);

do $$
begin
  if exists (select from pg_extension where extname = 'timescaledb') then
    perform create_hypertable('outlier_bucket', 'bucket', chunk_time_interval => interval '1 day', create_default_indexes => false);
  end if;
end $$;

create unique index outlier_bucket_group on outlier_bucket (group_id, bucket);
create index outlier_bucket_time on outlier_bucket using brin (bucket) with (pages_per_range = 32, autosummarize = on);
comment on table outlier_bucket is 'What members of peer groups did bucket by bucket, and how it was judged.';

-- Who joined and left, and who was marked.
create table outlier_membership (
  id        bigint generated always as identity primary key,
  group_id  uuid not null,
  at        timestamptz not null,
  kind      text not null check (kind in ('joined', 'left', 'marked', 'unmarked')),
  object_id int not null references object on delete cascade,
  members   int,                                      -- how many there were after it
  by        text                                      -- NULL = the evaluation
);
create index outlier_membership_group on outlier_membership (group_id, at);
create index outlier_membership_object on outlier_membership (object_id, at);

-- Without a foreign key to the group, so that an event outlives it.
create table outlier_event (
  id           uuid primary key,
  number       bigint generated always as identity unique,
  group_id     uuid not null,
  group_name   text not null,
  object_id    int references object on delete cascade, -- NULL = the group as a whole
  status       text not null check (status in ('open', 'unknown', 'closed')),
  close_reason text,
  opened_at    timestamptz not null,                  -- end of the bucket that opened it, the first time
  since        timestamptz not null,                  -- begin of the first bucket beyond the limit
  last_bucket  timestamptz not null,                  -- begin of the last bucket that counted
  updated_at   timestamptz not null,
  closed_at    timestamptz,
  side         text not null check (side in ('high', 'low')),
  severity     smallint not null check (severity between 1 and 4),
  evidence     text not null,
  score        float8,
  peak_score   float8 not null,
  peak_at      timestamptz not null,
  violations   int not null,
  of           int not null,
  judged       int not null,
  members      int not null,
  flaps        int not null default 0,
  metrics      jsonb not null,                        -- those that make it, the most telling first
  explanation  jsonb not null,
  apart        jsonb,                                 -- what sets the member apart; NULL = not looked at yet
  apart_at     timestamptz,                           -- when that was found out
  archived_at  timestamptz,
  archived_by  text,
  note_count   int not null default 0
);
create index outlier_event_open on outlier_event (group_id) where status <> 'closed';
create index outlier_event_group on outlier_event (group_id, opened_at);
create index outlier_event_object on outlier_event (object_id, opened_at);
create index outlier_event_opened on outlier_event (opened_at);
create index outlier_event_closed on outlier_event (group_id, closed_at);
comment on table outlier_event is 'Members that are or were unlike their peers.';

-- Shares its numbers with alert_history, so that both are followed as one stream.
create table outlier_event_history (
  id          bigint primary key default nextval(pg_get_serial_sequence('alert_history', 'id')),
  xid         xid8 not null default pg_current_xact_id(),
  event_id    uuid not null references outlier_event on delete cascade,
  at          timestamptz not null,
  event       text not null,
  by          text,                                   -- NULL = the evaluation
  score       float8,
  value       float8,
  note        text,
  explanation text
);
create index outlier_event_history_event on outlier_event_history (event_id, id);
create index outlier_event_history_xid on outlier_event_history (xid, id);

-- For Grafana and the like.
create view outlier as
select e.number, e.group_name as "group", o.name as object, o.adapter_kind, o.object_kind, e.status, e.side,
       (array['information', 'warning', 'immediate', 'critical'])[e.severity] as severity, e.since, e.opened_at, e.closed_at,
       e.close_reason, coalesce(e.closed_at, now()) - e.since as duration, e.score, e.peak_score, e.flaps,
       e.metrics -> 0 ->> 'key' as metric, (e.metrics -> 0 ->> 'value')::float8 as value,
       (e.metrics -> 0 ->> 'centre')::float8 as centre, e.explanation ->> 'text' as explanation,
       e.archived_at is not null as archived, e.id, e.group_id, o.uuid as object_id
from outlier_event e left join object o on o.id = e.object_id;
comment on view outlier is 'Events of members that are or were unlike their peers, one row each.';

-- Alerts of outlier groups ----------------------------------------------------------------------

alter table alert drop constraint alert_source_check;
alter table alert add constraint alert_source_check check (source in ('threshold', 'alert-definition', 'outlier-group'));

alter table evaluation_shard
  add column outlier_ms float8 not null default 0,
  add column outlier_groups int not null default 0,
  add column open_outliers bigint not null default 0;
