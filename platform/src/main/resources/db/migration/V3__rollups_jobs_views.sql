-- Roll-ups, what they depend on, long work, settings, and views for people who write SQL.

-- Roll-ups --------------------------------------------------------------------------------------

-- One row per metric set and bucket; time is the begin of the bucket. Positions are those of
-- sample.values. What says nothing new is NULL, so a bucket of one sample costs what the sample costs:
-- counts where every value present was there `samples` times, min, max and last where they equal avg.
create table sample_5m (
  time    timestamptz not null,
  set_id  int not null,
  samples int not null,                               -- raw rows of the set in the bucket
  counts  int[],                                      -- values per position
  avg     float8[] not null,                          -- NULL element = no value in the bucket
  min     float8[],
  max     float8[],
  last    float8[]                                    -- the value latest in time
);
create table sample_1h (
  time    timestamptz not null,
  set_id  int not null,
  samples int not null,
  counts  int[],
  avg     float8[] not null,
  min     float8[],
  max     float8[],
  last    float8[]
);

-- How far each level is complete, and from where it is kept.
create table level_state (
  level        text primary key check (level in ('raw', '5m', '1h')),
  rolled_until timestamptz,                           -- every bucket that begins before is rolled up; NULL = none yet
  kept_from    timestamptz not null default '-infinity' -- retention may have removed what is older
);
insert into level_state (level) values ('raw'), ('5m'), ('1h');

-- Buckets that changed after they were rolled up. Appended in the transaction that changes them, so
-- without keys that writers could wait for; the same bucket may be here many times.
create table rollup_dirty (
  bucket   timestamptz not null,                      -- begin of the bucket
  level    text not null default '5m' check (level in ('5m', '1h')),
  noted_at timestamptz not null default now()
);

-- Settings and long work ------------------------------------------------------------------------

create table setting (
  name       text primary key,
  value      jsonb not null,
  version    bigint not null default 1,
  updated_at timestamptz not null default now(),
  updated_by text not null
);
insert into setting (name, value, updated_by)
values ('retention', '{"raw": "14d", "rollup5m": "90d", "rollup1h": "730d"}', 'first start');

create table job (
  id               uuid primary key,
  kind             text not null,                     -- roll-up, retention, back-fill, replay, compression
  title            text not null,
  state            text not null check (state in ('queued', 'running', 'done', 'failed', 'cancelled')),
  done             bigint not null default 0,
  total            bigint,                            -- NULL = not known
  unit             text not null,
  node             text,
  cancellable      boolean not null,
  cancel_requested boolean not null default false,
  detail           text,
  error            text,
  started_at       timestamptz,
  updated_at       timestamptz not null,
  finished_at      timestamptz
);
create index job_unfinished on job (updated_at) where finished_at is null;
create index job_finished on job (finished_at) where finished_at is not null;

-- The shape that db-scheduler expects.
create table scheduled_tasks (
  task_name            text not null,
  task_instance        text not null,
  task_data            bytea,
  execution_time       timestamptz not null,
  picked               boolean not null,
  picked_by            text,
  last_success         timestamptz,
  last_failure         timestamptz,
  consecutive_failures int,
  last_heartbeat       timestamptz,
  version              bigint not null,
  priority             smallint,
  primary key (task_name, task_instance)
);
create index scheduled_tasks_execution on scheduled_tasks (execution_time);
create index scheduled_tasks_heartbeat on scheduled_tasks (last_heartbeat);
create index scheduled_tasks_priority on scheduled_tasks (priority desc, execution_time asc);

-- Views -----------------------------------------------------------------------------------------

create view metric as
select s.time, o.uuid as object_id, o.name as object, o.adapter_kind, o.object_kind as kind,
       g.name as "group", m.instance, v.metric, v.value, v.unit
from sample s
join metric_set m on m.id = s.set_id
join metric_group g on g.id = m.group_id
join object o on o.id = m.object_id
cross join lateral unnest(g.metrics, s.values, g.units) as v(metric, value, unit)
where v.value is not null;
comment on view metric is 'Raw samples, one row per value. Always filter on time.';

create view metric_5m as
select s.time, o.uuid as object_id, o.name as object, o.adapter_kind, o.object_kind as kind,
       g.name as "group", m.instance, v.metric, v.avg, coalesce(v.min, v.avg) as min,
       coalesce(v.max, v.avg) as max, coalesce(v.last, v.avg) as last,
       coalesce(v.count, s.samples) as count, v.unit
from sample_5m s
join metric_set m on m.id = s.set_id
join metric_group g on g.id = m.group_id
join object o on o.id = m.object_id
cross join lateral unnest(g.metrics, s.avg, s.min, s.max, s.last, s.counts, g.units)
  as v(metric, avg, min, max, last, count, unit)
where v.avg is not null;
comment on view metric_5m is 'Roll-ups of 5 minutes, one row per metric and bucket; time is the begin of the bucket.';

create view metric_1h as
select s.time, o.uuid as object_id, o.name as object, o.adapter_kind, o.object_kind as kind,
       g.name as "group", m.instance, v.metric, v.avg, coalesce(v.min, v.avg) as min,
       coalesce(v.max, v.avg) as max, coalesce(v.last, v.avg) as last,
       coalesce(v.count, s.samples) as count, v.unit
from sample_1h s
join metric_set m on m.id = s.set_id
join metric_group g on g.id = m.group_id
join object o on o.id = m.object_id
cross join lateral unnest(g.metrics, s.avg, s.min, s.max, s.last, s.counts, g.units)
  as v(metric, avg, min, max, last, count, unit)
where v.avg is not null;
comment on view metric_1h is 'Roll-ups of 1 hour, one row per metric and bucket; time is the begin of the bucket.';

create schema views;
comment on schema views is 'One view per object kind and metric group, made and widened by the service.';

-- Which views exist in schema views, so that a name, once given, stays.
create table metric_view (
  group_id int primary key references metric_group on delete cascade,
  name     text not null unique,                      -- of the raw view; roll-ups are name_5m and name_1h
  metrics  int not null                               -- how many positions of the group it shows
);

-- Hypertables, or what plain PostgreSQL has -----------------------------------------------------

do $$
begin
  if exists (select from pg_extension where extname = 'timescaledb') then
    perform create_hypertable('sample_5m', 'time', chunk_time_interval => interval '7 days', create_default_indexes => false);
    perform create_hypertable('sample_1h', 'time', chunk_time_interval => interval '30 days', create_default_indexes => false);
  end if;
end $$;

create unique index sample_5m_set_time on sample_5m (set_id, time);
create unique index sample_1h_set_time on sample_1h (set_id, time);
create index sample_5m_time on sample_5m using brin (time) with (pages_per_range = 32, autosummarize = on);
create index sample_1h_time on sample_1h using brin (time) with (pages_per_range = 32, autosummarize = on);
