-- Groups of peers that the data suggest.

create table outlier_suggestion (
  id          uuid primary key,                       -- the same as long as its members are mostly the same
  kind        text not null check (kind in ('starter', 'correlated')),
  place       int not null,                           -- the best first
  reason      text not null,
  correlation float8,                                 -- NULL = it was not asked
  members     int[] not null,                         -- object ids, ascending
  definition  jsonb not null                          -- as the API and rules files write groups
);
comment on table outlier_suggestion is 'Groups of peers that the data suggest; nothing is applied by itself.';

create table outlier_suggestion_dismissed (
  id      uuid primary key,
  members int[] not null,                             -- when it was dismissed
  by      text not null,
  at      timestamptz not null
);

create table outlier_suggestion_run (
  single      boolean primary key default true check (single), -- one row
  computed_at timestamptz,
  objects     bigint not null default 0               -- how many objects there were then
);
insert into outlier_suggestion_run default values;
