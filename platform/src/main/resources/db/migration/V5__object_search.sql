-- Lists of objects: order, free text, and what the kinds of metric sets have.

-- All that free text looks at, in lower case, one thing a line. Kept with the row, since making it
-- for every object of a large installation on each key stroke would take a second.
create function object_search_text(name text, external_id text, properties jsonb, tags jsonb) returns text
language sql immutable parallel safe as $$
  select lower(concat_ws(E'\n', name, external_id, (
    select string_agg(key || E'\n' || value, E'\n')
    from (select * from jsonb_each_text(properties) union all select * from jsonb_each_text(tags)) t)))
$$;

alter table object
  add column search_text text generated always as (object_search_text(name, external_id, properties, tags)) stored;

-- The order of lists does not depend on the locale of the server.
create index object_sort_name on object ((lower(name) collate "C"), id);
create index object_sort_kind on object ((lower(object_kind) collate "C"), (lower(name) collate "C"), id);
create index object_sort_first_seen on object (first_seen, id);

-- Which groups have aggregates, which have instances.
create index metric_set_group_instanced on metric_set (group_id, (instance <> ''), id);
drop index metric_set_group;

create index object_change_newest on object_change (time desc, id desc);
drop index object_change_time;
