package io.peerlens.notify.render;

import static org.assertj.core.api.Assertions.assertThat;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import io.peerlens.alerttemplates.Message;
import io.peerlens.api.model.NotificationTargetEdit;
import io.peerlens.definition.Definitions;
import io.peerlens.notify.channel.ActiveTarget;
import io.peerlens.notify.channel.AddressGuard;
import io.peerlens.notify.channel.Attempt;
import io.peerlens.notify.channel.EgressProperties;
import io.peerlens.notify.channel.HostResolver;
import io.peerlens.notify.channel.MailChannel;
import io.peerlens.notify.channel.TokenClient;
import io.peerlens.notify.channel.Verdict;
import io.peerlens.notify.render.AlertCharts.Described;
import io.peerlens.support.SampleData;
import io.peerlens.support.SettableClock;
import io.peerlens.words.MetricWords;
import jakarta.mail.internet.MimeMultipart;
import java.awt.image.BufferedImage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.IntStream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

/** Charts of alerts that are stored, up to the mail. */
class AlertChartsIT {

  private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");
  private static final Instant SINCE = NOW.minus(Duration.ofMinutes(40));
  private static final SampleData DATA = SampleData.create();
  private static final int VM = DATA.object("VMWARE", "VirtualMachine", "web-17");

  private final AlertCharts charts =
      new AlertCharts(new ChartQueries(DATA.jdbc()), MetricWords::of, new SettableClock(NOW));

  @AfterAll
  static void close() {
    DATA.close();
  }

  private static UUID alert(String source, UUID definition, String member) {
    UUID id = UUID.randomUUID();
    DATA.jdbc()
        .sql(
            """
            insert into alert (id, definition_id, source, definition_name, object_id, impact, severity, status, since, opened_at,
              updated_at, last_tick, openings, member_count, members, explanation, recommendations, member_print)
            values (:id, :definition, :source, 'CPU high', :object, 'health', 3, 'new', :since, :since, :since, :since,
              array[:since::timestamptz], 1, cast(:members as jsonb), '{}', '{}', 0)
            """)
        .param("id", id)
        .param("definition", definition)
        .param("source", source)
        .param("object", VM)
        .param("since", SampleData.time(SINCE))
        .param("members", "[" + member.replace('\'', '"').formatted(VM) + "]")
        .update();
    return id;
  }

  private static void keep(String name, Chart chart) throws Exception {
    Path file = Path.of("target", name);
    Files.createDirectories(file.getParent());
    Files.write(file, ChartPng.draw(chart).orElseThrow());
  }

  @Test
  void aThresholdsMetricGoesFromHoursBeforeIntoTheMail() throws Exception {
    int group =
        DATA.group("VMWARE", "VirtualMachine", "cpu", List.of("usage_average", "ready_summation"));
    int set = DATA.set(VM, group, "");
    Random random = new Random(1);
    try (Connection connection = DATA.dataSource().getConnection()) {
      for (Instant at = NOW.minus(Duration.ofHours(5)); at.isBefore(NOW); at = at.plusSeconds(60)) {
        boolean gap = at.isAfter(NOW.minusSeconds(7200)) && at.isBefore(NOW.minusSeconds(5400));
        if (!gap) {
          double value = at.isBefore(SINCE) ? 42 : 93;
          SampleData.sample(connection, at, set, value + random.nextGaussian() * 3, 1);
        }
      }
    }
    UUID alert =
        alert(
            "threshold",
            UUID.randomUUID(),
            "{'object': %d, 'key': 'cpu|usage_average', 'unit': '%%', 'operator': 'gt', 'bound':"
                + " 80, 'value': 92}");

    Described drawn = charts.of(alert).orElseThrow();
    keep("chart-threshold.png", drawn.chart());
    Chart chart = drawn.chart();
    assertThat(chart.title()).isEqualTo("web-17: CPU usage");
    assertThat(chart.bounds()).containsExactly(80.0);
    assertThat(chart.since()).isEqualTo(SINCE);
    assertThat(chart.times().length).isBetween(80, 182);
    assertThat(chart.times()[0])
        .as("three hours before it began")
        .isBetween(SINCE.getEpochSecond() - 10_920, SINCE.getEpochSecond() - 10_680);
    assertThat(
            IntStream.range(0, chart.values().length).filter(i -> Double.isNaN(chart.values()[i])))
        .as("one gap")
        .hasSize(1);
    assertThat(drawn.words())
        .startsWith("Chart of CPU usage of web-17 from 21 Nov 06:20 to 21 Nov 09:5")
        .contains(" at the end, between ", "The limit is 80 %. The alert began at 21 Nov 09:20.");

    GreenMail mails = new GreenMail(new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_SMTP));
    mails.start();
    try (Charts bounded = new Charts(charts::of, Duration.ofSeconds(30), Duration.ZERO)) {
      Message whole =
          bounded.complete(
              new Message.Mail(
                  "s", "t", "<p><img src=\"cid:chart\" alt=\"x\"></p>", List.of(), true),
              alert);
      AddressGuard guard =
          new AddressGuard(
              new EgressProperties(List.of("127.0.0.1"), List.of(), List.of()),
              HostResolver.SYSTEM);
      MailChannel channel =
          new MailChannel(name -> "", guard, new TokenClient(guard, InstantSource.system()));
      ActiveTarget target =
          ActiveTarget.read(
              UUID.randomUUID(),
              "",
              Definitions.of(
                  JsonMapper.shared()
                      .readTree(
                          """
                          {"name": "m", "type": "email", "email": {"host": "127.0.0.1", "port": %d, "security": "none",
                            "from": "a@x.example", "to": ["b@x.example"]}}
                          """
                              .formatted(mails.getSmtp().getPort())),
                  NotificationTargetEdit.class));
      assertThat(
              channel
                  .send(
                      Message.fromJson(whole.toJson()),
                      target,
                      new Attempt(UUID.randomUUID(), alert, 1, 1, NOW))
                  .verdict())
          .isEqualTo(new Verdict.Delivered());
      MimeMultipart alternative = (MimeMultipart) mails.getReceivedMessages()[0].getContent();
      MimeMultipart related = (MimeMultipart) alternative.getBodyPart(1).getContent();
      String html = related.getBodyPart(0).getContent().toString();
      assertThat(html).contains("src=\"cid:chart\"", "alt=\"Chart of CPU usage of web-17");
      assertThat(related.getBodyPart(1).getHeader("Content-ID")).containsExactly("<chart>");
      BufferedImage image = ImageIO.read(related.getBodyPart(1).getInputStream());
      assertThat(image.getWidth()).isEqualTo(1280);
      long ink =
          IntStream.range(0, image.getWidth() * image.getHeight())
              .filter(
                  i ->
                      (image.getRGB(i % image.getWidth(), i / image.getWidth()) & 0xffffff)
                          == 0x1d4ed8)
              .count();
      assertThat(ink).isGreaterThan(1_000);
    } finally {
      mails.stop();
    }
  }

  @Test
  void anOutlierIsDrawnAmongItsPeers() throws Exception {
    UUID group = UUID.randomUUID();
    try (Connection connection = DATA.dataSource().getConnection();
        var statement =
            connection.prepareStatement(
                """
                insert into outlier_bucket (group_id, bucket, basis, state, judged, metrics, members, centre, lower, upper,
                  values, scores, score)
                values (?, ?, 'b', 'judged', 3, '{disk|used,mem|usage}', array[?, 900001, 900002], array['NaN', ?]::float8[],
                  array['NaN', ?]::float8[], array['NaN', ?]::float8[],
                  array['NaN', 'NaN', 'NaN', ?, 30, 31]::float4[], '{}', '{}')
                """)) {
      for (Instant at = NOW.minus(Duration.ofHours(6)); at.isBefore(NOW); at = at.plusSeconds(60)) {
        double wave = 30 + 4 * Math.sin(at.getEpochSecond() / 2000.0);
        statement.setObject(1, group);
        statement.setObject(2, SampleData.time(at));
        statement.setInt(3, VM);
        statement.setDouble(4, wave);
        statement.setDouble(5, wave - 5);
        statement.setDouble(6, wave + 5);
        statement.setDouble(7, at.isBefore(SINCE) ? wave + 1 : wave + 22);
        statement.addBatch();
      }
      statement.executeBatch();
    }
    UUID alert =
        alert(
            "outlier-group",
            group,
            "{'object': %d, 'key': 'mem|usage', 'unit': 'GB', 'operator': 'outside', 'bound': 25,"
                + " 'upper': 35, 'value': 52}");

    Described drawn = charts.of(alert).orElseThrow();
    keep("chart-outlier.png", drawn.chart());
    Chart chart = drawn.chart();
    assertThat(chart.bounds()).isEmpty();
    int last = chart.times().length - 1;
    assertThat(chart.values()[last] - chart.middle()[last]).isBetween(21.0, 23.0);
    assertThat(chart.high()[last] - chart.low()[last]).isBetween(9.5, 10.5);
    assertThat(drawn.words()).contains("The median of its peers is ");
  }

  @Test
  void withoutNumbersThereIsNothingToDraw() {
    assertThat(charts.of(UUID.randomUUID())).isEmpty();
    assertThat(
            charts.of(
                alert(
                    "threshold",
                    UUID.randomUUID(),
                    "{'object': %d, 'key': 'cpu|nothing', 'bound': 80, 'operator': 'gt'}")))
        .isEmpty();
    assertThat(
            charts.of(
                alert(
                    "threshold",
                    UUID.randomUUID(),
                    "{'object': %d, 'key': 'summary|guest', 'text': 'off', 'operator': 'eq'}")))
        .isEmpty();
  }
}
