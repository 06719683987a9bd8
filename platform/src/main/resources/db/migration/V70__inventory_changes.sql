-- What of the inventory has changed, so that who keeps it in memory reads that and nothing else.
create table inventory_change (
  xid       xid8 not null default pg_current_xact_id(), -- of the transaction that changed it
  object_id int not null,                               -- one that is new, other, gone, or has other relations
  noted_at  timestamptz not null default clock_timestamp()
);
create index inventory_change_xid on inventory_change (xid);
create index inventory_change_noted_at on inventory_change using brin (noted_at) with (pages_per_range = 8, autosummarize = on);
comment on table inventory_change is 'Objects that changed lately. Whoever reads remembers the oldest transaction that was not over then, and asks for rows from it on.';

alter table inventory_version add column removals bigint not null default 0;
comment on column inventory_version.removals is 'How often objects or metric sets were deleted, so that all is read; new sets have higher ids than all before.';

create function note_new_objects() returns trigger language plpgsql as $$
begin
  insert into inventory_change (object_id) select id from changed;
  return null;
end $$;

create function note_other_object() returns trigger language plpgsql as $$
begin
  insert into inventory_change (object_id) values (new.id);
  return null;
end $$;

create function note_relations() returns trigger language plpgsql as $$
begin
  insert into inventory_change (object_id)
  select parent_id from changed union select child_id from changed;
  return null;
end $$;

create function note_other_relations() returns trigger language plpgsql as $$
begin
  insert into inventory_change (object_id)
  select parent_id from before union select child_id from before union select parent_id from after union select child_id from after;
  return null;
end $$;

create function note_removals() returns trigger language plpgsql as $$
begin
  update inventory_version set removals = removals + 1;
  return null;
end $$;

create trigger object_new after insert on object referencing new table as changed for each statement execute function note_new_objects();
-- A record that says what records have said before only renews its time, and is not noted.
create trigger object_other after update of adapter_kind, object_kind, external_id, name, properties, removed_at on object for each row
  when ((new.adapter_kind, new.object_kind, new.external_id, new.name, new.properties, new.removed_at)
    is distinct from (old.adapter_kind, old.object_kind, old.external_id, old.name, old.properties, old.removed_at))
  execute function note_other_object();
create trigger object_gone after delete or truncate on object for each statement execute function note_removals();
create trigger relation_new after insert on relation referencing new table as changed for each statement execute function note_relations();
create trigger relation_other after update on relation referencing old table as before new table as after for each statement execute function note_other_relations();
create trigger relation_gone after delete on relation referencing old table as changed for each statement execute function note_relations();
create trigger metric_set_gone after delete or truncate on metric_set for each statement execute function note_removals();
