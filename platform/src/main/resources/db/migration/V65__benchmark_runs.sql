-- Results of benchmarks: the files as they came, and the runs in them.
create table benchmark_import (
  id          uuid primary key,
  job_id      uuid not null,
  file_name   text not null,
  size        bigint not null,
  state       text not null check (state in ('reading', 'done', 'failed')),
  problems    jsonb not null default '[]',
  imported_at timestamptz not null,
  imported_by text not null
);
comment on table benchmark_import is 'Files with results of benchmarks.';

create table benchmark_import_part (
  import_id uuid not null references benchmark_import on delete cascade,
  part      int not null,                              -- from 0, in the order of the file
  content   bytea not null,
  primary key (import_id, part)
);
alter table benchmark_import_part alter column content set storage external;
comment on table benchmark_import_part is 'The files as they came, in parts of one megabyte.';

create table benchmark_run (
  id               uuid primary key,                   -- and that of its object
  import_id        uuid not null references benchmark_import,
  position         int not null,                       -- among the runs of the import
  tested_id        int references object on delete set null,
  change_id        bigint,                             -- recorded for it on what was tested; NULL = none
  tool             text not null,
  version          text not null,
  name             text not null,
  note             text not null default '',
  reference        boolean not null default false,     -- later runs are compared with it
  start            timestamptz,                        -- NULL = nobody says it
  measured_seconds double precision,                   -- NULL = the tool does not say it
  parameters       jsonb not null,
  own_parameters   jsonb not null default '{}',        -- of people
  figures          jsonb not null,
  latencies        jsonb not null,
  remarks          jsonb not null,
  series           bytea not null                      -- JSON compressed with gzip
);
create index on benchmark_run (import_id, position);
create index on benchmark_run (tested_id);
comment on table benchmark_run is 'Runs of benchmarks.';
