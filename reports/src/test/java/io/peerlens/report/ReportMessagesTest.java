package io.peerlens.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.alerttemplates.Message;
import io.peerlens.api.model.ObjectRef;
import io.peerlens.api.model.PanelAnswer;
import io.peerlens.api.model.PanelColumn;
import io.peerlens.api.model.PanelColumnType;
import io.peerlens.api.model.PanelObjects;
import io.peerlens.api.model.PanelRow;
import io.peerlens.api.model.ReportFile;
import io.peerlens.api.model.ReportPanel;
import io.peerlens.api.model.ReportPart;
import io.peerlens.api.model.ReportRunState;
import io.peerlens.report.ReportRunStore.Result;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ReportMessagesTest {

  private static final UUID ID = new UUID(1, 1);
  private static final UUID RUN = new UUID(2, 2);
  private static final Instant DUE = Instant.parse("2026-11-23T06:00:00Z");

  private final ReportMessages messages =
      new ReportMessages(
          (target, name, message, now) -> Optional.empty(),
          target -> Optional.empty(),
          "https://peerlens.example/");

  private final Report report =
      new Report(
          ID,
          "Weekly <b>",
          "",
          "kim",
          ID,
          null,
          null,
          Map.of(),
          null,
          null,
          null,
          List.of(),
          Set.of(ReportFile.values()),
          1);

  private static Result result(int rows, String name) {
    PanelAnswer answer =
        new PanelAnswer(
            "table", 0L, 1L, null, null, 1L, null, new PanelObjects(rows, rows, rows), List.of());
    answer.setColumns(List.of(new PanelColumn("cpu", "CPU", PanelColumnType.NUMBER, "%", "1h")));
    List<PanelRow> all = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      all.add(
          new PanelRow(
              new ObjectRef(new UUID(3, i), "VMWARE", "VirtualMachine", name + i),
              null,
              List.of(i + 0.5),
              Arrays.asList(new io.peerlens.api.model.PanelState[] {null})));
    }
    answer.setRows(all);
    ReportPanel hosts = new ReportPanel("hosts", "Hosts", "table");
    hosts.setAnswer(answer);
    ReportPanel broken = new ReportPanel("broken", "Broken", "table");
    broken.setReason("It has no column.");
    ReportPart part =
        new ReportPart("", Map.of(), List.of(), DUE, DUE, new ArrayList<>(List.of(hosts, broken)));
    return new Result(ReportRunState.DONE, List.of(part), null);
  }

  @Test
  void aMailHasPicturesInItsTextAndFilesBesideIt() {
    Message.Mail mail = messages.mail(report, RUN, result(3, "vm"), 0);
    assertThat(mail.subject()).isEqualTo("[Peerlens] Weekly <b>");
    assertThat(mail.html()).contains("Weekly &lt;b&gt;", "cid:panel-1", "cid:panel-2");
    assertThat(mail.text()).contains("3 rows.", "It has no column.");
    assertThat(mail.attachments())
        .extracting(Message.Attachment::name)
        .containsExactly("weekly-b.pdf", "panel-1.png", "panel-2.png", "hosts.csv");
  }

  @Test
  void whatIsTooLargeForAMailIsALink() {
    Message.Mail mail = messages.mail(report, RUN, result(9000, "a-long-name-".repeat(15)), 0);
    assertThat(mail.attachments()).extracting(Message.Attachment::name).doesNotContain("hosts.csv");
    assertThat(mail.text())
        .contains(
            "The CSV of hosts is too large for a mail.",
            "https://peerlens.example/api/v1/reports/" + ID + "/runs/" + RUN + "/pdf?part=1");
    assertThat(mail.attachments().stream().mapToInt(one -> one.base64().length()).sum())
        .isLessThan(2 * 1024 * 1024);
  }

  @Test
  void aRequestHasTheAnswersUnlessTheyAreTooLarge() {
    JsonNode small =
        JsonMapper.shared().readTree(messages.request(report, RUN, DUE, result(3, "vm"), 0).body());
    assertThat(small.path("panels").get(0).path("answer").path("rows")).hasSize(3);
    assertThat(small.path("panels").get(1).path("reason").stringValue())
        .isEqualTo("It has no column.");
    JsonNode large =
        JsonMapper.shared()
            .readTree(
                messages.request(report, RUN, DUE, result(9000, "name-".repeat(30)), 0).body());
    assertThat(large.path("panels").get(0).has("answer")).isFalse();
    assertThat(large.path("leftOut").stringValue()).contains("too large");
    assertThat(large.path("panels").get(0).path("csv").stringValue())
        .endsWith("/csv?part=1&panel=hosts");
  }

  @Test
  void marksOfSecretsInNamesAreNoSecrets() {
    assertThat(messages.mail(report, RUN, result(1, "\uE000token\uE001"), 0).html())
        .doesNotContain("\uE000");
    assertThat(messages.request(report, RUN, DUE, result(1, "\uE000token\uE001"), 0).body())
        .contains("token")
        .doesNotContain("\uE000", "\\uE000");
  }
}
