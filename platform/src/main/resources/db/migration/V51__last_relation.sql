-- Relations of objects; of one that was removed, which has none, those that its references tell: where it was last.

create view last_relation as
  select parent_id, child_id from relation
  union all
  select t.id, o.id
  from object o
  join object_reference r on r.object_id = o.id and r.role = 'parent'
  join object t on (t.adapter_kind, t.object_kind, t.locator) = (r.adapter_kind, r.object_kind, r.locator)
  where o.removed_at is not null and t.id <> o.id
  union all
  select t.id, o.id
  from object o
  join object_reference r on r.object_id = o.id and r.role = 'parent'
  join object t on (t.adapter_kind, t.object_kind, t.external_id) = (r.adapter_kind, r.object_kind, r.locator)
  where o.removed_at is not null and t.id <> o.id;
