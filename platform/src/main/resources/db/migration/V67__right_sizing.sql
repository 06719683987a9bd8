-- Right-sizing and reclamation: what the last evaluation found, what people decided, and what came of it.
create table sizing_run (
  only_one     boolean primary key default true check (only_one),
  evaluated_at timestamptz not null,
  history_from timestamptz not null,
  history_to   timestamptz not null,
  took_millis  bigint not null
);
comment on table sizing_run is 'The last evaluation of right-sizing.';

-- Machines and clusters: what is told as metrics again and again, and what scenarios start from.
create table sizing_result (
  object_id    int primary key references object on delete cascade,
  vcpus        double precision,                        -- of a machine; NULL = not known
  memory_gb    double precision,
  owner        text,
  metrics      jsonb not null,                          -- by metric key
  cluster      jsonb,                                   -- state of a cluster; NULL = it is a machine
  evaluated_at timestamptz not null
);
comment on table sizing_result is 'Results of the last evaluation of right-sizing by object.';

create table sizing_recommendation (
  id            uuid primary key,
  number        bigint not null generated always as identity,
  object_id     int not null references object on delete cascade,
  subject       text not null check (subject in ('cpu', 'memory', 'machine', 'snapshot', 'disk')),
  instance      text not null default '',               -- path of a disk
  kind          text not null check (kind in ('too-small', 'too-large', 'not-known', 'idle', 'powered-off', 'snapshot', 'orphaned-disk')),
  label         text,                                   -- name of the snapshot or disk, for people
  size_now      double precision,                       -- vCPUs or GB
  size          double precision,
  regret        double precision,                       -- hours a week over the new size
  vcpus         double precision,                       -- given back; below 0 = added
  memory_gb     double precision,
  disk_gb       double precision,
  place         double precision not null,              -- usual order, the least first
  owner         text,
  evidence      jsonb not null,
  first_seen_at timestamptz not null,
  evaluated_at  timestamptz not null,
  decision      text not null default 'open' check (decision in ('open', 'approved', 'ignored', 'done')),
  decided_by    text,
  decided_at    timestamptz,
  ignored_until timestamptz,
  note          text,
  unique (object_id, subject, instance)
);
create index on sizing_recommendation (kind, place);
comment on table sizing_recommendation is 'Recommendations of the last evaluation, with decisions of people.';

create table sizing_ticket (
  recommendation_id uuid not null references sizing_recommendation on delete cascade,
  sent_at           timestamptz not null,
  sent_by           text not null,
  target            uuid not null,
  target_name       text not null,
  delivered         boolean not null,
  http_status       int,                                -- NULL = no answer
  reason            text
);
create index on sizing_ticket (recommendation_id, sent_at);
comment on table sizing_ticket is 'Tickets that were made of recommendations.';

create table sizing_outcome (
  noticed_change_id bigint primary key,                 -- the change of a property that showed it
  recommendation_id uuid not null,
  object_id         int not null references object on delete cascade,
  resource          text not null check (resource in ('cpu', 'memory')),
  kind              text not null check (kind in ('too-small', 'too-large')),
  size_before       double precision not null,
  size_after        double precision not null,
  recommended       double precision not null,
  approved          boolean not null,
  series_key        text,                               -- demand; NULL = not known
  series_factor     double precision not null,          -- to vCPUs or GB
  changed_at        timestamptz not null,
  change_id         bigint,                             -- recorded for it
  put_back_at       timestamptz,
  judged_at         timestamptz,
  verdict           text,
  sentence          text
);
create index on sizing_outcome (changed_at);
comment on table sizing_outcome is 'Recommendations that were carried out, and whether they were right.';
