-- Dashboards and views that people make, import, or get with a pack.

-- Moves with every change of any of them. A number of its own: evaluators do not read their rules anew when somebody moves a panel.
create table dashboard_version (
  one     boolean primary key default true check (one),
  version bigint not null
);
insert into dashboard_version (version) values (0);

create function dashboard_changed() returns trigger
language plpgsql as $$
begin
  if current_setting('peerlens.late_dashboard_version', true) = 'moves' then
    perform set_config('peerlens.late_dashboard_version', 'moved', true);
  elsif current_setting('peerlens.late_dashboard_version', true) is distinct from 'moved' then
    update dashboard_version set version = version + 1;
  end if;
  return null;
end $$;

-- The definition is json and not jsonb: members keep the order in which their author wrote them. Names are unique among shared ones, and
-- among the private ones of an owner; the service sees to it.
create table dashboard (
  id         uuid primary key,
  name       text not null,
  definition json not null,                           -- as the API writes it: visibility, owner, origin, and the dashboard itself
  form       smallint not null default 1,             -- of the definition (StoredForms)
  pack       text,                                    -- the pack it came with; then nobody changes it
  version    bigint not null default 1,               -- the ETag
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null
);
comment on table dashboard is 'Dashboards: panels about objects that are chosen by rule.';

-- One row for each version, the present one included; stays when the dashboard is deleted.
create table dashboard_history (
  dashboard_id uuid not null,
  version      bigint not null,
  action       text not null check (action in ('created', 'changed', 'imported', 'restored', 'deleted')),
  at           timestamptz not null,
  by           text not null,
  name         text not null,
  definition   json not null,
  form         smallint not null default 1,
  pack         text,
  primary key (dashboard_id, version)
);

create table dashboard_view (
  id         uuid primary key,
  name       text not null,
  definition json not null,                           -- as the API writes it: visibility, owner, origin, and the view itself
  form       smallint not null default 1,
  pack       text,
  version    bigint not null default 1,
  created_at timestamptz not null,
  created_by text not null,
  updated_at timestamptz not null,
  updated_by text not null
);
comment on table dashboard_view is 'Views: named questions about objects, which panels of dashboards show.';

create table dashboard_view_history (
  dashboard_view_id uuid not null,
  version           bigint not null,
  action            text not null check (action in ('created', 'changed', 'imported', 'restored', 'deleted')),
  at                timestamptz not null,
  by                text not null,
  name              text not null,
  definition        json not null,
  form              smallint not null default 1,
  pack              text,
  primary key (dashboard_view_id, version)
);

create trigger dashboard_changed after insert or update or delete on dashboard
  for each statement execute function dashboard_changed();
create trigger dashboard_view_changed after insert or update or delete on dashboard_view
  for each statement execute function dashboard_changed();

-- Files that dashboards and views were imported from, as they came.
create table dashboard_original (
  id          uuid primary key,
  file_name   text not null,
  size        bigint not null,                        -- in bytes, before it was compressed
  content     bytea not null,                         -- compressed with gzip
  imported_at timestamptz not null,
  imported_by text not null
);
comment on table dashboard_original is 'Files that dashboards and views were imported from, while one of these is stored.';

create table dashboard_original_item (
  item_id     uuid primary key,                       -- of a dashboard or a view
  original_id uuid not null references dashboard_original on delete cascade
);
create index on dashboard_original_item (original_id);
