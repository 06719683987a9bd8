package io.peerlens.talker.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import io.peerlens.alerttemplates.AlertTemplate;
import io.peerlens.alerttemplates.BuiltInTemplates;
import io.peerlens.alerttemplates.Lookups;
import io.peerlens.alerttemplates.Message;
import io.peerlens.api.model.FlowFilter;
import io.peerlens.api.model.FlowLevel;
import io.peerlens.api.model.ObjectRef;
import io.peerlens.api.model.OtherTalkers;
import io.peerlens.api.model.Talker;
import io.peerlens.api.model.TalkerChange;
import io.peerlens.api.model.TalkerDimension;
import io.peerlens.api.model.TalkerDirection;
import io.peerlens.api.model.TalkerMeasure;
import io.peerlens.api.model.TalkerReportQuery;
import io.peerlens.api.model.TopTalker;
import io.peerlens.api.model.TopTalkers;
import io.peerlens.threshold.Severity;
import io.peerlens.threshold.Threshold.Impact;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** What is sent of a report, from the answer to the message. */
class TalkerReportContextTest {

  private static final UUID ID = UUID.fromString("0b0f1b60-7c1e-4c52-8f0e-1d3a4f6f9a01");
  private static final Instant DUE = Instant.parse("2026-11-21T06:00:00Z");

  private static TalkerReport report(TalkerReport.@Nullable Limit limit) {
    return new TalkerReport(
        ID,
        "Backups",
        "",
        new TalkerReportQuery(TalkerDimension.VM, "7d")
            .direction(TalkerDirection.SENT)
            .ports(List.of("10000/tcp")),
        Duration.ofDays(7),
        20,
        new TalkerReportSchedule(
            Set.of(DayOfWeek.SATURDAY), LocalTime.of(7, 0), ZoneId.of("Europe/Berlin")),
        List.of(),
        List.of(),
        limit,
        1);
  }

  private static TalkerReport.Limit limit(double share) {
    return new TalkerReport.Limit(share, Severity.IMMEDIATE, Impact.RISK, List.of());
  }

  private static TopTalkers answer(TopTalker... items) {
    return new TopTalkers(
        TalkerDimension.VM,
        TalkerMeasure.BYTES,
        TalkerDirection.SENT,
        DUE.minus(Duration.ofDays(7)).toEpochMilli(),
        DUE.toEpochMilli(),
        FlowLevel.ONE_DAY,
        "B",
        2e12,
        0.0,
        0.0,
        0.0,
        0.0,
        List.of(items),
        new OtherTalkers(281, 5.42e11, 0.271));
  }

  private static TopTalker talker(int rank, String name, double value, double share) {
    return new TopTalker(
        rank,
        new Talker(String.valueOf(400 + rank), name, new FlowFilter())
            .object(new ObjectRef(new UUID(0, rank), "VMWARE", "VirtualMachine", name)),
        value,
        share,
        9e7,
        4.4e8,
        0.0);
  }

  private static ObjectNode context(TalkerReport report, TopTalkers answer) {
    ObjectNode context =
        new TalkerReportContext(report, answer, "https://peerlens.example")
            .make(DUE, DUE.plusSeconds(300));
    context.put("event", "REPORT").put("change", "scheduled");
    return context;
  }

  private static Message message(String template, JsonNode context) {
    AlertTemplate of = BuiltInTemplates.of(template).template();
    return of.render(of.modify(context, Lookups.NONE).context());
  }

  @Test
  void theContextFitsTheSchemaOfTemplates() {
    TopTalker first = talker(1, "nas-02", 9.72e11, 0.486).before(new TalkerChange(1e12, -0.028));
    ObjectNode context = context(report(limit(0.3)), answer(first));

    assertThat(
            SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(BuiltInTemplates.contextSchema())
                .validate(context.toString(), InputFormat.JSON))
        .isEmpty();
    assertThat(context.path("report").path("url").stringValue())
        .isEqualTo("https://peerlens.example/top-talkers/reports/" + ID);
    assertThat(context.path("alert").path("criticality").stringValue()).isEqualTo("IMMEDIATE");
  }

  @Test
  void talkersAboveTheLimitAreShownInWordsAndBars() {
    TopTalker first = talker(1, "nas-02", 9.72e11, 0.486).before(new TalkerChange(1e12, -0.028));
    TopTalker second = talker(2, "proxy", 4.86e11, 0.243).before(new TalkerChange(0.0, null));

    Message.Mail mail =
        (Message.Mail)
            message("talker-report-email", context(report(limit(0.3)), answer(first, second)));

    assertThat(mail.subject())
        .isEqualTo("[Peerlens] Backups: nas-02 905.2 GiB (48.6 %), proxy 452.6 GiB (24.3 %).");
    assertThat(mail.text())
        .contains(
            """
            Virtual machines by bytes sent, service 10000/tcp
            14 Nov 2026 07:00 to 21 Nov 2026 07:00, Europe/Berlin
            Total: 1.819 TiB
            Limit: 30 % for one talker

                  Virtual machines                          Value    Share     Change
               1  nas-02                                905.2 GiB   48.6 %     -2.8 %  ████████████████  above the limit
               2  proxy                                 452.6 GiB   24.3 %        new  ████████

            Others, at least 281: 504.8 GiB, 27.1 %
            """);
    assertThat(mail.html()).contains("48.6 % above the limit").contains("width=\"50%\"");
  }

  @Test
  void aReportWithoutTrafficOrLimitStatesThat() {
    TopTalkers nothing = answer();
    nothing.total(0.0).others(new OtherTalkers(0, 0.0, 0.0));
    ObjectNode context = context(report(null), nothing);

    Message.Mail mail = (Message.Mail) message("talker-report-email", context);

    assertThat(mail.text())
        .contains("No traffic.")
        .doesNotContain("Limit")
        .doesNotContain("Others");
    assertThat(context.path("alert").path("criticality").stringValue()).isEqualTo("INFORMATION");
  }

  @Test
  void aThousandTalkersFitIntoAMessage() {
    List<TopTalker> many = new ArrayList<>();
    for (int i = 1; i <= 1_000; i++) {
      many.add(talker(i, "a-rather-long-name-of-a-machine-" + i, 1e9 / i, 0.001));
    }
    ObjectNode context = context(report(null), answer(many.toArray(TopTalker[]::new)));

    JsonNode body =
        JsonMapper.shared()
            .readTree(((Message.Http) message("talker-report-json", context)).body());

    assertThat(body.path("talkers").size()).isEqualTo(100);
    assertThat(body.path("more").intValue()).isEqualTo(900);
    assertThat(((Message.Mail) message("talker-report-email", context)).text())
        .contains("a-rather-long-name-of-a-machine-1…".substring(0, 30));
  }
}
