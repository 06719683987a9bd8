package io.peerlens.grafana;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.within;

import io.peerlens.support.Programs;
import io.peerlens.support.SampleData;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Views for Grafana say what the tables say, and the dashboards ask nothing that they do not have.
 */
class SqlViewsIT {

  private final SampleData data = SampleData.create();
  private final JdbcClient jdbc = data.jdbc();
  private final Instant opened = Instant.now().truncatedTo(ChronoUnit.SECONDS).minusSeconds(3_600);

  @AfterEach
  void close() {
    data.close();
  }

  private UUID alert(int object, String name, int severity, boolean open) {
    UUID id = UUID.randomUUID();
    jdbc.sql(
            """
            insert into alert (id, definition_id, source, definition_name, object_id, impact, severity, status, since,
              opened_at, updated_at, canceled_at, cancel_reason, last_tick, openings, member_count, members, member_print,
              explanation, recommendations, acknowledged_by)
            values (:id, gen_random_uuid(), 'threshold', :name, :object, 'health', :severity, :status, :opened, :opened, :opened,
              :closed, :reason, :opened, '{}', 1, '[]', 0,
              '{"key":"cpu|usage_average","value":97.5,"bound":90,"unit":"%","text":"CPU is high."}', '{}', 'ada')
            """)
        .param("id", id)
        .param("name", name)
        .param("object", object)
        .param("severity", severity)
        .param("status", open ? "active" : "canceled")
        .param("opened", SampleData.time(opened))
        .param(
            "closed",
            open ? null : SampleData.time(opened.plusSeconds(600)),
            java.sql.Types.TIMESTAMP_WITH_TIMEZONE)
        .param("reason", open ? null : "cleared", java.sql.Types.VARCHAR)
        .update();
    return id;
  }

  private List<Map<String, Object>> rows(String sql) {
    return jdbc.sql(sql).query().listOfRows();
  }

  @Test
  void alertsAreNamedWithTheirObjectValueAndIncident() {
    int vm = data.object("VMWARE", "VirtualMachine", "web-1");
    UUID open = alert(vm, "Busy", 4, true);
    alert(vm, "Full", 2, false);
    jdbc.sql(
            """
            with made as (
              insert into incident (id, status, title, title_after, confidence, signs, severity, worst, since, opened_at,
                updated_at, alert_count, object_count)
              values (gen_random_uuid(), 'open', 't', 't', 'low', '{}', 4, 4, now(), now(), now(), 1, 1) returning id)
            insert into incident_alert (incident_id, alert_id, joined_at) select id, ?, now() from made
            """)
        .param(open)
        .update();
    assertThat(rows("select * from alerts order by number"))
        .hasSize(2)
        .satisfiesExactly(
            first ->
                assertThat(first)
                    .containsEntry("name", "Busy")
                    .containsEntry("object", "web-1")
                    .containsEntry("severity", "critical")
                    .containsEntry("status", "open")
                    .containsEntry("control_state", "acknowledged")
                    .containsEntry("metric", "cpu|usage_average")
                    .containsEntry("value", 97.5)
                    .containsEntry("bound", 90.0)
                    .containsEntry("explanation", "CPU is high.")
                    .containsEntry("closed_at", null)
                    .extractingByKey("incident")
                    .isNotNull(),
            second ->
                assertThat(second)
                    .containsEntry("severity", "warning")
                    .containsEntry("status", "closed")
                    .containsEntry("close_reason", "cleared")
                    .containsEntry("incident", null));
    assertThat(
            jdbc.sql("select extract(epoch from duration)::int from alerts where name = 'Full'")
                .query(Integer.class)
                .single())
        .isEqualTo(600);
  }

  @Test
  void changesPropertiesAndObjectsAreThoseOfNow() {
    int vm = data.object("VMWARE", "VirtualMachine", "web-1");
    int gone = data.object("VMWARE", "VirtualMachine", "web-2");
    jdbc.sql(
            """
            update object set properties = '{"summary|parentHost":"esx-1","config|hardware|num_Cpu":"4"}', tags = '{"tier":"web"}'
            where id = ?
            """)
        .param(vm)
        .update();
    jdbc.sql("update object set removed_at = now(), properties = '{\"a\":\"b\"}' where id = ?")
        .param(gone)
        .update();
    jdbc.sql(
            """
            with made as (
              insert into object_change (time, object_id, kind, key, new_value) values (now(), ?, 'recorded', 'configuration', 'CHG-1')
              returning id)
            insert into recorded_change (change_id, author, note) select id, 'ada', 'more memory' from made
            """)
        .param(vm)
        .update();
    assertThat(rows("select * from properties order by key"))
        .extracting(
            row ->
                row.get("object")
                    + " "
                    + row.get("key")
                    + "="
                    + row.get("value")
                    + " "
                    + row.get("tag"))
        .containsExactly(
            "web-1 config|hardware|num_Cpu=4 false",
            "web-1 summary|parentHost=esx-1 false",
            "web-1 tier=web true");
    assertThat(rows("select * from objects"))
        .singleElement()
        .satisfies(
            row -> assertThat(row).containsEntry("object", "web-1").containsEntry("host", "esx-1"));
    assertThat(rows("select * from changes"))
        .singleElement()
        .satisfies(
            row ->
                assertThat(row)
                    .containsEntry("object", "web-1")
                    .containsEntry("kind", "recorded")
                    .containsEntry("after", "CHG-1")
                    .containsEntry("author", "ada")
                    .containsEntry("note", "more memory"));
  }

  @Test
  void fourBytesAreTheFloatThatPostgresWrites() {
    assertThat(
            jdbc.sql(
                    """
                    select count(*) from (
                      select x, float4_at('\\x00'::bytea || float4send(x), 1) as read
                      from (select ((random() - 0.5) * 10 ^ (floor(random() * 60) - 30))::float4 as x from generate_series(1, 5000)) r
                      union all select x, float4_at('\\x00'::bytea || float4send(x), 1) from unnest(array[0, 1, -1, 1e-40, 3.4e38]::float4[]) x
                    ) r where read is distinct from x::float8
                    """)
                .query(Integer.class)
                .single())
        .isZero();
    assertThat(
            jdbc.sql("select float4_at(float4send('NaN'), 0) is null")
                .query(Boolean.class)
                .single())
        .isTrue();
  }

  @Test
  void boundsAreThoseOfTheirSeriesWidenedAsForMediumSensitivity() {
    int one = data.object("VMWARE", "VirtualMachine", "web-1");
    int two = data.object("VMWARE", "VirtualMachine", "web-2");
    int group =
        data.group("VMWARE", "VirtualMachine", "cpu", List.of("first", "usage_average", "ready"));
    int setOne = data.set(one, group, "");
    int setTwo = data.set(two, group, "");
    Instant day = Instant.now().truncatedTo(ChronoUnit.DAYS);
    // Metric by metric, in each the sets; the block begins with the second metric of the group.
    long block =
        jdbc.sql(
                """
                insert into learned_block (group_id, day, first_position, width, sets, set_ids, empty_ids, state, days, spread,
                  learning, learned, few_valued, constant, computed_at, since)
                values (:group, :day, 1, 2, 2, :sets, '{}', '', '', :spread, 0, 4, 0, 0, now(), :day) returning id
                """)
            .param("group", group)
            .param("day", SampleData.time(day))
            .param("sets", new Integer[] {setOne, setTwo})
            .param("spread", floats(1, 2, 3, Float.NaN))
            .query(Long.class)
            .single();
    jdbc.sql("insert into learned_band (block_id, hour, lower, upper) values (?, 5, ?, ?)")
        .params(block, floats(10, 20, 30, Float.NaN), floats(11, 22, 33, Float.NaN))
        .update();
    assertThat(rows("select * from bounds order by metric, object"))
        .extracting(
            row ->
                "%s %s %s..%s"
                    .formatted(
                        row.get("object"), row.get("metric"), row.get("lower"), row.get("upper")))
        .containsExactly(
            "web-1 ready 24.0..39.0",
            "web-1 usage_average 8.0..13.0",
            "web-2 usage_average 16.0..26.0");
    assertThat(
            jdbc.sql("select distinct extract(epoch from time) from bounds")
                .query(Double.class)
                .single())
        .isEqualTo(day.plus(5, ChronoUnit.HOURS).getEpochSecond(), within(0.1));
  }

  private static byte[] floats(float... values) {
    ByteBuffer bytes = ByteBuffer.allocate(values.length * Float.BYTES);
    for (float value : values) {
      bytes.putFloat(value);
    }
    return bytes.array();
  }

  /** Needs Python 3, which writes the dashboards. */
  @Test
  void theDashboardsAreMadeAndTheirQueriesAreTaken() throws Exception {
    String python = Programs.need("python3", "the Debian package python3").toString();
    Path folder = Path.of("..", "docker", "grafana");
    Process check =
        new ProcessBuilder(python, folder.resolve("make.py").toString(), "--check")
            .redirectErrorStream(true)
            .start();
    assertThat(new String(check.getInputStream().readAllBytes(), StandardCharsets.UTF_8)).isEmpty();
    assertThat(check.waitFor()).isZero();
    int vm = data.object("VMWARE", "VirtualMachine", "web-1");
    alert(vm, "Busy", new Random(1).nextInt(1, 5), true);
    int queries = 0;
    Process print = new ProcessBuilder(python, folder.resolve("queries.py").toString()).start();
    try (BufferedReader lines = print.inputReader(StandardCharsets.UTF_8)) {
      for (String query = lines.readLine(); query != null; query = lines.readLine()) {
        queries++;
        String asked = query;
        assertThatCode(() -> rows(asked)).as(asked).doesNotThrowAnyException();
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    assertThat(print.waitFor()).isZero();
    assertThat(queries).isGreaterThan(80);
  }
}
