-- What is kept in memory of the inventory is read again only when a number here has changed: read the number first, then
-- the tables. Counted up in the transaction that makes the change, once however much it changes.
create table inventory_version (
  version      bigint not null, -- objects, their names, properties and tags, relations
  sets_version bigint not null  -- metric groups, their metrics, and metric sets
);
create unique index inventory_version_one_row on inventory_version ((true));
insert into inventory_version values (0, 0);
