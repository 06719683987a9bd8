-- Records in our own form tell of an object besides the tags of lines, and of its removal.

alter table object alter column attributes_time drop not null;  -- NULL = no line has told anything
alter table object
  add column record_time timestamptz,                   -- newest record that changed anything, exact to 6 hours; NULL = there was none
  add column record_keys text[] not null default '{}',  -- what records told: name, locator, property:NAME, tag:NAME, parent:KIND
  add column removed_at  timestamptz;                   -- when its source removed it; NULL = it is there
create index object_removed on object (id) where removed_at is not null;

alter table object_change drop constraint object_change_kind_check;
alter table object_change add constraint object_change_kind_check
  check (kind in ('new', 'name', 'property', 'tag', 'placement', 'recorded', 'reporting', 'removed'));

-- An object that was removed keeps its references, which tell where it was, and has no relations.
create or replace function resolved_references(ids int[]) returns table (parent_id int, child_id int)
language sql stable parallel safe as $$
  with met as (
    select r.object_id as from_id, r.role, t.id as to_id
    from object_reference r
    join object t on (t.adapter_kind, t.object_kind, t.locator) = (r.adapter_kind, r.object_kind, r.locator)
    where r.object_id = any (ids)
    union
    select r.object_id, r.role, t.id
    from object_reference r
    join object t on (t.adapter_kind, t.object_kind, t.external_id) = (r.adapter_kind, r.object_kind, r.locator)
    where r.object_id = any (ids)
    union
    select r.object_id, r.role, t.id
    from object t
    join object_reference r on (r.adapter_kind, r.object_kind, r.locator) = (t.adapter_kind, t.object_kind, t.locator)
    where t.id = any (ids)
    union
    select r.object_id, r.role, t.id
    from object t
    join object_reference r on (r.adapter_kind, r.object_kind, r.locator) = (t.adapter_kind, t.object_kind, t.external_id)
    where t.id = any (ids)
  )
  select case role when 'parent' then to_id else from_id end, case role when 'parent' then from_id else to_id end
  from met
  where from_id <> to_id
    and not exists (select from object o where o.id in (from_id, to_id) and o.removed_at is not null)
$$;
