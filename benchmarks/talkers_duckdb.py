"""Rankings of talkers computed by DuckDB from the records of a capture, beside those that Peerlens answered.

    pip install duckdb
    python3 talkers_duckdb.py goflow2-kafka.jsonl.gz ../service/target/captured-talkers.csv

The second file is what CapturedTalkersIT writes: its rankings, equal to the answers of the API. Nothing of Peerlens is
used here: records are read as JSON, spread over the minutes that they last, and of the two exporters that saw the same
traffic in 5 minutes the one with more bytes counts, then the one with more packets. Where both saw the same, either may
count, and the flows, sessions and minutes of the two need not be equal: a difference of this kind is shown as such.
"""
import sys
import time

import duckdb

capture, answers = sys.argv[1:3]
db = duckdb.connect()
began = time.time()
db.sql(f"""
create table record as
select type as told_by, src_addr as src, dst_addr as dst, lower(proto) as proto, src_port, dst_port,
       icmp_type, icmp_code, tcp_flags as flags, bytes * greatest(sampling_rate, 1) as bytes,
       packets * greatest(sampling_rate, 1) as packets,
       time_flow_start_ns // 1000000 as start_ms, time_flow_end_ns // 1000000 as end_ms
from read_json('{capture}', format = 'newline_delimited', columns = {{
  type: 'VARCHAR', src_addr: 'VARCHAR', dst_addr: 'VARCHAR', proto: 'VARCHAR', src_port: 'BIGINT', dst_port: 'BIGINT',
  icmp_type: 'BIGINT', icmp_code: 'BIGINT', tcp_flags: 'BIGINT', bytes: 'BIGINT', packets: 'BIGINT',
  sampling_rate: 'BIGINT', time_flow_start_ns: 'BIGINT', time_flow_end_ns: 'BIGINT'}})
""")
db.sql("""
create table by_minute as
with f as (
  select *, start_ms // 60000 as first, greatest(end_ms - 1, start_ms) // 60000 as last,
         case when proto in ('tcp', 'udp') then least(src_port, dst_port) else icmp_type * 256 + icmp_code end as port,
         case when proto in ('tcp', 'udp') then dst_port < src_port
              when proto = 'icmp' then icmp_type not in (0, 14, 16, 18) else icmp_type not in (129, 136) end as towards
  from record
), m as (
  select *, unnest(generate_series(first, last)) as minute, end_ms - start_ms as took from f
)
select told_by, src, dst, proto, port, towards, minute, minute // 5 as bucket,
       case when took = 0 then bytes
            else bytes * (least(end_ms, (minute + 1) * 60000) - start_ms) // took
               - bytes * greatest(minute * 60000 - start_ms, 0) // took end as bytes,
       case when took = 0 then packets
            else packets * (least(end_ms, (minute + 1) * 60000) - start_ms) // took
               - packets * greatest(minute * 60000 - start_ms, 0) // took end as packets,
       (minute = first)::int as flows,
       (minute = first and towards and (proto <> 'tcp' or flags = 0 or flags & 2 <> 0))::int as sessions,
       (minute = first and proto = 'tcp' and flags & 4 <> 0)::int as resets
from m
""")
db.sql("""
create table ends as
select address, vm, case when vm is null then null when vm = 'db' then 'esx-3' when vm in ('web1', 'web2', 'web3')
                         then 'esx-1' else 'esx-2' end as host,
       case when vm is not null then 'prod' end as cluster,
       case when vm = 'db' then 'db' when vm is not null then 'web' end as tier,
       case when address like '10.77.1.%' then 'Clients' when address like '10.77.2.%' then 'Web'
            when address like '10.77.3.%' then 'Data' end as network,
       coalesce(vm, case when address like '10.%' or address like 'fe80:%' then address else 'Internet' end) as name
from (select address, case when address like '10.77.2.1_' then 'web' || address[10:] when address = '10.77.3.11' then 'db' end as vm
      from (select src as address from record union select dst from record))
""")
db.sql("""
create table named as
select m.*, s.vm as s_vm, s.host as s_host, s.cluster as s_cluster, s.tier as s_tier, s.network as s_network, s.name as s_name,
       d.vm as d_vm, d.host as d_host, d.cluster as d_cluster, d.tier as d_tier, d.network as d_network, d.name as d_name
from by_minute m join ends s on s.address = m.src join ends d on d.address = m.dst
""")
db.sql("""
create table counted as
with seen as (
  select bucket, s_name, d_name, port, proto, towards, told_by, sum(bytes) as b, sum(packets) as p
  from named group by all
), best as (
  select * from seen
  qualify row_number() over (partition by bucket, s_name, d_name, port, proto, towards order by b desc, p desc, told_by) = 1
)
select n.* from named n join best using (bucket, s_name, d_name, port, proto, towards, told_by)
""")
took = time.time() - began

# A comma ends the name in the file of answers; no name of the capture has one.
db.sql(f"create table answer as select * from read_csv('{answers}', header = true)")
compared = equal = ties = 0
wrong = []
for by in ("vm", "host", "cluster", "tier", "network", "port", "protocol", "pair"):
    for direction in ("sent", "received", "both"):
        parts = []
        if by in ("port", "protocol", "pair"):
            name = {"port": "port || '/' || proto", "protocol": "proto", "pair": "s_name || ' to ' || d_name"}[by]
            parts.append(f"select {name} as name, * from counted")
        else:
            if direction != "received":
                parts.append(f"select s_{by} as name, * from counted")
            if direction != "sent":
                both = f" and s_{by} is distinct from d_{by}" if direction == "both" else ""
                parts.append(f"select d_{by} as name, * from counted where true{both}")
        source = " union all by name ".join(parts)
        for measure in ("bytes", "rate", "peak", "packets", "sessions", "flows", "resets"):
            column = "bytes" if measure in ("rate", "peak") else measure
            last = "max" if measure == "peak" else "sum"
            rows = db.sql(f"""
                with of_minute as (select name, minute, sum({column}) as value from ({source}) where name is not null group by all)
                select coalesce(m.name, a.name), m.value, a.value
                from (select name, {last}(value)::bigint as value from of_minute group by name having sum(value) > 0) m
                full join (select name, value from answer
                           where "by" = '{by}' and direction = '{direction}' and measure = '{measure}') a
                  on a.name = m.name
            """).fetchall()
            for name, here, there in rows:
                compared += 1
                if here == there:
                    equal += 1
                elif measure in ("sessions", "flows", "resets", "peak") and here and there and abs(here - there) <= 0.002 * here + 5:
                    ties += 1
                else:
                    wrong.append((by, direction, measure, name, here, there))
print(f"{db.sql('select count(*) from record').fetchall()[0][0]} records, DuckDB {duckdb.__version__}, tables made in {took:.2f} s")
print(f"{compared} values compared: {equal} equal, {ties} differ as ties may, {len(wrong)} differ otherwise")
for row in wrong[:20]:
    print(*row)
print(db.sql("select s_vm as vm, sum(bytes) as bytes, sum(packets) as packets, sum(flows) as flows from counted where s_vm is not null group by 1 order by 2 desc limit 5"))
sys.exit(1 if wrong else 0)
