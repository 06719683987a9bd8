-- Bytes of a row, heap and index, of the tables that grow with time, in an empty database of plain PostgreSQL:
--   psql -q -f row-bytes.sql
-- Values are random; samples arrive moment by moment with their sets in no order, roll-ups a bucket at a time in the order
-- of sets, as ingest and roll-ups write them. 1 = a bucket has one sample and is its mean; 4 = least, greatest and last too.
\set ON_ERROR_STOP on
create table result (what text, metrics int, rows bigint, heap numeric, index numeric);

create procedure measure(metrics int, sets int, moments int) language plpgsql as $$
declare
  moment timestamptz;
  what text;
begin
  drop table if exists sample, sample_5m_1, sample_5m_4;
  create table sample (time timestamptz not null, set_id int not null, values float8[] not null);
  create table sample_5m_1 (time timestamptz not null, set_id int not null, samples int not null, counts int[],
    avg float8[] not null, min float8[], max float8[], last float8[]);
  create table sample_5m_4 (like sample_5m_1);
  foreach what in array array['sample', 'sample_5m_1', 'sample_5m_4'] loop
    execute format('create unique index on %I (set_id, time)', what);
    execute format('create index on %I using brin (time) with (pages_per_range = 32)', what);
  end loop;
  for n in 1..moments loop
    moment := timestamptz '2026-11-01' + n * interval '300 s';
    insert into sample
    select moment, s, (select array_agg(random()) from generate_series(1, metrics) where s = s)
    from generate_series(1, sets) s order by hashint4(s);
    insert into sample_5m_1
    select time, set_id, 1, null, values, null, null, null from sample where time = moment order by set_id;
    insert into sample_5m_4
    select time, set_id, 15, null, values, values, values, values from sample where time = moment order by set_id;
  end loop;
  foreach what in array array['sample', 'sample_5m_1', 'sample_5m_4'] loop
    insert into result
    values (what, metrics, sets * moments, pg_table_size(what::regclass), pg_indexes_size(what::regclass));
  end loop;
end $$;

call measure(1, 2000, 100);
call measure(6, 2000, 100);
call measure(8, 2000, 100);
call measure(25, 2000, 60);
call measure(50, 2000, 40);

create table flow_part (time timestamptz not null, bytes bigint not null, packets bigint not null, drops bigint not null,
  observer int not null, src int not null, dst int not null, port int not null, flows int not null, sessions int not null,
  resets int not null, proto smallint not null, to_service boolean not null, egress boolean not null);
create index on flow_part using brin (time) with (pages_per_range = 32);
create table flow_5m (time timestamptz not null, bytes bigint not null, packets bigint not null, flows bigint not null,
  sessions bigint not null, resets bigint not null, drops bigint not null, peak bigint not null, keys bigint not null,
  src int not null, dst int not null, port int not null, proto smallint not null, to_service boolean not null);
create index on flow_5m (dst, time);
create index on flow_5m (time, src);
create table flow_1h (like flow_5m);
create index on flow_1h (dst, time);
create index on flow_1h (src, time);
do $$
begin
  for n in 1..12 loop
    insert into flow_part
    select timestamptz '2026-11-01' + n * interval '1 min', 1, 1, 0, 1, random() * 10000, random() * 10000, 443, 1, 1, 0, 6, true, false
    from generate_series(1, 20000);
    insert into flow_5m
    select timestamptz '2026-11-01' + n * interval '5 min', 1, 1, 1, 1, 0, 0, 1, 1, random() * 10000, random() * 10000, 443, 6, true
    from generate_series(1, 20000);
    insert into flow_1h
    select timestamptz '2026-11-01' + n * interval '1 h', 1, 1, 1, 1, 0, 0, 1, 1, random() * 10000, random() * 10000, 443, 6, true
    from generate_series(1, 20000);
  end loop;
end $$;
insert into result
select t, 0, 240000, pg_table_size(t::regclass), pg_indexes_size(t::regclass)
from unnest(array['flow_part', 'flow_5m', 'flow_1h']) t;
select what, metrics, round(heap / rows, 1) as heap, round(index / rows, 1) as index from result order by what, metrics;
