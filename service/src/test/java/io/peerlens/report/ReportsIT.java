package io.peerlens.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import io.peerlens.evaluation.Ticks;
import io.peerlens.node.Role;
import io.peerlens.support.ApiClient;
import io.peerlens.support.ApiClient.Answer;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.SampleData;
import io.peerlens.support.WebhookReceiver;
import jakarta.mail.BodyPart;
import jakarta.mail.Multipart;
import jakarta.mail.Part;
import jakarta.mail.internet.MimeMessage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.text.PDFTextStripper;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reports from their definition to the mail, with a clock that the test sets. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReportsIT {

  private static final String PANELS =
      """
      {"name": "%s", "time": {"last": "6h"},
       "variables": [{"name": "cluster", "type": "object", "kind": "VMWARE/ClusterComputeResource", "default": {"first": {}}}],
       "panels": {
         "hosts": {"type": "table", "title": "Hosts of $cluster", "kind": "VMWARE/HostSystem", "subject": "$cluster",
           "columns": [{"name": "name", "attribute": "name"},
                       {"name": "cpu", "title": "CPU", "metric": {"any": ["cpu|usage_average"]}, "transform": "avg", "unit": "%%",
                        "colour": {"bounds": [12]}}],
           "sort": [{"column": "cpu", "order": "desc"}]},
         "course": {"type": "chart", "title": "CPU", "kind": "VMWARE/HostSystem", "subject": "$cluster",
           "columns": [{"name": "cpu", "metric": {"any": ["cpu|usage_average"]}}]},
         "broken": {"type": "table", "title": "Broken", "view": {"name": "Hosts"}, "sort": [{"column": "gone"}]},
         "words": {"type": "text", "markdown": "Look at the hosts first."}},
       "layout": [{"items": [{"panel": "hosts", "x": 1, "y": 1, "w": 12, "h": 4}, {"panel": "course", "x": 1, "y": 5, "w": 12, "h": 4},
                             {"panel": "broken", "x": 1, "y": 9, "w": 12, "h": 4}, {"panel": "words", "x": 1, "y": 13, "w": 12, "h": 2}]}]}
      """;

  private static final String VIEW =
      """
      {"name": "Hosts", "kind": "VMWARE/HostSystem", "show": "table",
       "columns": [{"name": "cpu", "metric": {"any": ["cpu|usage_average"]}, "transform": "avg"}]}
      """;

  private final Instant now = Instant.now().truncatedTo(ChronoUnit.MINUTES);
  private SampleData data;
  private PeerlensServer server;
  private ApiClient admin;
  private GreenMail mails;
  private WebhookReceiver receiver;
  private String mail;
  private String hook;
  private String dashboard;

  @BeforeAll
  void start() {
    data = SampleData.create();
    int cpu = data.group("VMWARE", "HostSystem", "cpu", List.of("usage_average"));
    SampleData.Samples rows = data.samples();
    for (String cluster : List.of("cluster-a", "cluster-b")) {
      int clusterId = data.object("VMWARE", "ClusterComputeResource", cluster);
      for (int h = 1; h <= 2; h++) {
        int host = data.object("VMWARE", "HostSystem", "esx-" + cluster.charAt(8) + "-" + h);
        data.jdbc()
            .sql("insert into relation (parent_id, child_id) values (?, ?)")
            .params(clusterId, host)
            .update();
        int set = data.set(host, cpu, "");
        for (int minute = 0; minute < 600; minute++) {
          rows.add(now.minus(Duration.ofMinutes(minute)), set, 10 * h + minute % 7);
        }
      }
    }
    rows.flush();
    data.sql(
        "update object set tags = jsonb_build_object('site', case when name like 'esx-a%' then 'east' else 'west' end) where object_kind = 'HostSystem'");
    mails = new GreenMail(new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_SMTP));
    mails.start();
    receiver = WebhookReceiver.start();
    server =
        PeerlensServer.start(
            data.database(),
            Set.of(Role.API, Role.EVALUATOR, Role.NOTIFIER),
            PeerlensServer.SECRETS_KEY,
            "peerlens.rollup.every=1s",
            "peerlens.reports.runs=6",
            "peerlens.notify.url=https://peerlens.example/",
            "peerlens.notify.egress.allow=127.0.0.1",
            "peerlens.notify.delivery.retry-first=100ms",
            "peerlens.notify.delivery.poll=100ms");
    Ticks.stopScheduler(server, data);
    admin = server.admin();
    mail =
        make(
            "/notification-targets",
            """
            {"name": "Mail", "type": "email", "email": {"host": "127.0.0.1", "port": %d, "security": "none",
              "from": "ops@peerlens.example", "to": ["boss@peerlens.example"]}}
            """
                .formatted(mails.getSmtp().getPort()));
    hook =
        make(
            "/notification-targets",
            "{\"name\": \"Hook\", \"type\": \"webhook\", \"webhook\": {\"url\": \"%s\"}}"
                .formatted(receiver.url("/reports")));
    make("/views", "{\"visibility\": \"shared\", \"definition\": %s}".formatted(VIEW));
    dashboard = dashboard("Clusters", "shared");
  }

  @AfterAll
  void stop() {
    server.close();
    receiver.close();
    mails.stop();
    data.close();
  }

  private String dashboard(String name, String visibility) {
    return make(
        "/dashboards",
        "{\"visibility\": \"%s\", \"definition\": %s}"
            .formatted(visibility, PANELS.formatted(name)));
  }

  private String make(String path, String body) {
    Answer made = admin.post(path, body);
    assertThat(made.status()).as(made.body()).isEqualTo(201);
    return made.json().path("id").asString("");
  }

  private ApiClient operator(String name) {
    Answer token =
        admin.post("/tokens", "{\"name\": \"%s\", \"role\": \"operator\"}".formatted(name));
    return new ApiClient(server.url(), token.json().path("secret").asString(""));
  }

  private ReportRuns runs() {
    return server.context().getBean(ReportRuns.class);
  }

  /**
   * A minute that is still to come when the report is made, however long the tests before it took.
   */
  private static Instant soon(int minutes) {
    return Instant.now().truncatedTo(ChronoUnit.MINUTES).plus(Duration.ofMinutes(10L + minutes));
  }

  /** Every day at the minute that is to come after now. */
  private String daily(Instant at) {
    return "{\"time\": \"%s\", \"zone\": \"UTC\"}"
        .formatted(DateTimeFormatter.ofPattern("HH:mm").format(at.atOffset(ZoneOffset.UTC)));
  }

  private List<JsonNode> runsOf(String report) {
    return admin.get("/reports/" + report + "/runs").json().path("items").valueStream().toList();
  }

  private static String text(byte[] pdf) throws IOException {
    try (PDDocument document = Loader.loadPDF(pdf)) {
      return new PDFTextStripper().getText(document);
    }
  }

  private byte[] file(String path) {
    Answer answer = admin.get(path);
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.response().body();
  }

  private static List<Part> parts(Part part) throws Exception {
    List<Part> all = new ArrayList<>();
    if (part.getContent() instanceof Multipart several) {
      for (int i = 0; i < several.getCount(); i++) {
        BodyPart one = several.getBodyPart(i);
        all.addAll(parts(one));
      }
    } else {
      all.add(part);
    }
    return all;
  }

  private List<MimeMessage> received(String subject) {
    return List.of(mails.getReceivedMessages()).stream()
        .filter(
            one -> {
              try {
                return one.getSubject().contains(subject);
              } catch (jakarta.mail.MessagingException e) {
                throw new IllegalStateException(e);
              }
            })
        .toList();
  }

  // ------------------------------------------------------------------------------------
  // definitions

  @Test
  void aReportIsAnOrdinaryDefinition() {
    String body = "{\"name\": \"Kept\", \"dashboard\": \"%s\"}".formatted(dashboard);
    String id = make("/reports", body);
    Answer first = admin.get("/reports/" + id);
    assertThat(first.header("ETag")).isEqualTo("\"1\"");
    assertThat(first.json().path("files").valueStream().map(JsonNode::stringValue))
        .containsExactly("pdf", "csv");
    assertThat(admin.put("/reports/" + id, body).status()).isEqualTo(428);
    ApiClient one = admin.with("If-Match", "\"1\"");
    assertThat(one.put("/reports/" + id, body.replace("Kept", "Renamed")).status()).isEqualTo(200);
    assertThat(one.put("/reports/" + id, body).status()).isEqualTo(412);
    Answer restored =
        admin.with("If-Match", "\"2\"").post("/reports/" + id + "/history/1/restore", "{}");
    assertThat(restored.json().path("name").stringValue()).isEqualTo("Kept");
    assertThat(
            admin
                .get("/reports/" + id + "/history")
                .json()
                .path("items")
                .valueStream()
                .map(version -> version.path("action").stringValue()))
        .containsExactly("restored", "changed", "created");
    assertThat(admin.get("/rules/export").body()).contains("\"Kept\"", dashboard);
    assertThat(admin.with("If-Match", "\"3\"").delete("/reports/" + id).status()).isEqualTo(204);
    assertThat(admin.get("/reports/" + id).status()).isEqualTo(404);
  }

  @Test
  void whatMakesNoSenseIsRefusedWithItsPlace() {
    assertThat(admin.post("/reports", "{\"name\": \"Nothing\"}").body())
        .contains("a report shows exactly one of them");
    String body = "{\"name\": \"Wrong\", \"dashboard\": \"%s\", %s}";
    assertThat(
            admin
                .post("/reports", body.formatted(dashboard, "\"variables\": {\"host\": \"x\"}"))
                .body())
        .contains("variables.host", "Its variables: cluster.");
    assertThat(admin.post("/reports", body.formatted(dashboard, "\"each\": \"host\"")).body())
        .contains("is no variable of");
    assertThat(
            admin
                .post(
                    "/reports",
                    body.formatted(
                        dashboard, "\"schedule\": {\"time\": \"07:00\", \"zone\": \"Mars/Base\"}"))
                .body())
        .contains("schedule.zone", "is no time zone");
  }

  // -------------------------------------------------------------------------------------------
  // runs

  @Test
  void aReportIsSentOnceWhenItIsDueAndItsFilesSayWhatTheApiSays() throws Exception {
    Instant due = now.minus(Duration.ofMinutes(1));
    String id =
        make(
            "/reports",
            """
            {"name": "Morning", "description": "For the boss.", "dashboard": "%s", "schedule": %s, "targets": ["%s", "%s"]}
            """
                .formatted(dashboard, daily(due), mail, hook));
    assertThat(admin.get("/reports/" + id).json().path("nextAt").stringValue())
        .isEqualTo(due.plus(Duration.ofDays(1)).toString());
    // Its schedule was made an hour ago, so that what is sent now is due now for the mail server,
    // too.
    data.sql(
        "update report_state set scheduled_since = scheduled_since - interval '1 h' where report_id = '%s'"
            .formatted(id));
    assertThat(runs().look(due.minusSeconds(1))).isZero();

    Instant late = Instant.now();
    CompletableFuture<Integer> other = CompletableFuture.supplyAsync(() -> runs().look(late));
    int mine = runs().look(late);
    assertThat(mine + other.join()).isEqualTo(1);
    assertThat(runs().look(late.plusSeconds(15))).isZero();

    JsonNode run = runsOf(id).getFirst();
    assertThat(runsOf(id)).hasSize(1);
    assertThat(run.path("state").stringValue()).isEqualTo("done");
    assertThat(run.path("panels").intValue()).isEqualTo(4);
    assertThat(run.path("failed").intValue()).isEqualTo(1);
    assertThat(run.has("content")).isFalse();
    String path = "/reports/" + id + "/runs/" + run.path("id").stringValue();
    JsonNode part = admin.get(path).json().path("content").get(0);
    assertThat(part.path("words").get(0).stringValue()).isEqualTo("cluster: cluster-a");
    JsonNode panels = part.path("panels");
    assertThat(panels.get(2).path("reason").stringValue()).contains("names the column gone");
    JsonNode hosts = panels.get(0).path("answer");
    assertThat(hosts.path("title").stringValue()).isEqualTo("Hosts of cluster-a");
    assertThat(hosts.path("rows")).hasSize(2);

    // The PDF has the values that the API has.
    String pdf = text(file(path + "/pdf"));
    assertThat(pdf)
        .contains("Morning", "For the boss.", "cluster: cluster-a", "Hosts of cluster-a");
    assertThat(pdf).contains("names the column gone", "Look at the hosts first.");
    for (JsonNode row : hosts.path("rows")) {
      double cpu = row.path("cells").get(1).doubleValue();
      assertThat(pdf)
          .containsPattern(
              row.path("object").path("name").stringValue()
                  + "\\s+"
                  + new java.math.BigDecimal(cpu)
                      .round(new java.math.MathContext(4))
                      .stripTrailingZeros()
                      .toPlainString());
    }

    // The CSV has the rows.
    String csv = new String(file(path + "/csv?panel=hosts"), StandardCharsets.UTF_8);
    List<String> lines = csv.lines().toList();
    assertThat(lines).hasSize(3).first().isEqualTo("Object,Instance,Name,CPU (unit0)");
    for (int i = 0; i < 2; i++) {
      JsonNode row = hosts.path("rows").get(i);
      String[] cells = lines.get(i + 1).split(",", -1);
      assertThat(cells[0]).isEqualTo(row.path("object").path("name").stringValue());
      assertThat(Double.parseDouble(cells[3])).isEqualTo(row.path("cells").get(1).doubleValue());
    }
    assertThat(file(path + "/png?panel=course")).startsWith(0x89, 'P', 'N', 'G');
    assertThat(admin.get(path + "/pdf?part=2").status()).isEqualTo(404);

    // And so have the mail and the request.
    await().atMost(Duration.ofSeconds(30)).until(() -> received("Morning").size() == 1);
    MimeMessage got = received("Morning").getFirst();
    List<Part> parts = parts(got);
    assertThat(parts)
        .extracting(Part::getFileName)
        .contains("morning.pdf", "panel-1.png", "hosts.csv", "course.csv");
    for (Part one : parts) {
      if ("morning.pdf".equals(one.getFileName())) {
        assertThat(text(one.getInputStream().readAllBytes())).isEqualTo(pdf);
      } else if ("hosts.csv".equals(one.getFileName())) {
        assertThat(new String(one.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
            .isEqualTo(csv);
      } else if (one.isMimeType("text/html")) {
        assertThat(String.valueOf(one.getContent()))
            .contains("cid:panel-1", "cid:panel-4", "https://peerlens.example/api/v1" + path);
      }
    }
    await().atMost(Duration.ofSeconds(30)).until(() -> !receiver.received().isEmpty());
    JsonNode body = JsonMapper.shared().readTree(receiver.received().getFirst().text());
    assertThat(body.path("event").stringValue()).isEqualTo("REPORT");
    assertThat(body.path("panels").get(0).path("answer").path("rows"))
        .isEqualTo(hosts.path("rows"));
    assertThat(
            runsOf(id).getFirst().path("deliveries").valueStream().filter(d -> d.has("delivery")))
        .hasSize(2);
  }

  @Test
  void ofMissedRunsTheLastIsMadeUpForOnceAndSaysSo() throws Exception {
    Instant due = soon(2);
    String id =
        make(
            "/reports",
            "{\"name\": \"Missed\", \"dashboard\": \"%s\", \"schedule\": %s}"
                .formatted(dashboard, daily(due)));
    Instant back = due.plus(Duration.ofDays(2)).plus(Duration.ofHours(5));
    assertThat(runs().look(back)).isPositive();
    List<JsonNode> all = runsOf(id);
    assertThat(all)
        .extracting(one -> one.path("state").stringValue())
        .containsExactly("done", "missed", "missed");
    assertThat(all.getFirst().path("dueAt").stringValue())
        .isEqualTo(due.plus(Duration.ofDays(2)).toString());
    assertThat(all.getFirst().path("reason").stringValue()).contains("is made up for");
    String path = "/reports/" + id + "/runs/" + all.getFirst().path("id").stringValue();
    assertThat(text(file(path + "/pdf"))).contains("is made up for");
    runs().look(back.plusSeconds(15));
    assertThat(runsOf(id)).hasSize(3);

    // So many are kept, the newest.
    runs().look(due.plus(Duration.ofDays(12)).plusSeconds(1));
    assertThat(runsOf(id)).hasSize(6);
    assertThat(runsOf(id).getFirst().path("dueAt").stringValue())
        .isEqualTo(due.plus(Duration.ofDays(12)).toString());
  }

  @Test
  void aReportHasAPartForEachValueOfAVariableAndCanBeRunByHand() throws Exception {
    String body =
        "{\"name\": \"Each\", \"dashboard\": \"%s\", \"each\": \"cluster\", \"targets\": [\"%s\"]}"
            .formatted(dashboard, mail);
    byte[] preview = admin.post("/reports/preview", body).response().body();
    assertThat(text(preview)).contains("Each: cluster-a", "esx-a-1").doesNotContain("esx-b-1");
    String id = make("/reports", body);
    JsonNode run = admin.post("/reports/" + id + "/run?send=true", "{}").json();
    assertThat(run.path("parts").intValue()).isEqualTo(2);
    assertThat(run.path("askedBy").stringValue()).isNotEmpty();
    assertThat(run.path("deliveries")).hasSize(2);
    String path = "/reports/" + id + "/runs/" + run.path("id").stringValue();
    JsonNode stored = admin.get("/reports/" + id).json();
    assertThat(stored.path("lastRun").path("id")).isEqualTo(run.path("id"));
    assertThat(stored.path("lastRun").has("content")).isFalse();
    assertThat(text(file(path + "/pdf?part=2"))).contains("Each: cluster-b", "esx-b-1");
    await().atMost(Duration.ofSeconds(30)).until(() -> received("Each: cluster").size() == 2);
  }

  @Test
  void aReportHasAPartForEachValueOfATag() {
    String sites =
        make(
            "/dashboards",
            """
            {"visibility": "shared", "definition": {"name": "Sites",
              "variables": [{"name": "site", "type": "tag", "key": "site", "kind": "VMWARE/HostSystem"}],
              "panels": {"hosts": {"type": "table", "title": "Hosts in $site", "kind": "VMWARE/HostSystem",
                "select": {"scope": {"tags": ["site=$site"]}}, "columns": [{"name": "name", "attribute": "name"}]}},
              "layout": [{"items": [{"panel": "hosts", "x": 1, "y": 1, "w": 12, "h": 4}]}]}}
            """);
    String id =
        make(
            "/reports",
            "{\"name\": \"By site\", \"dashboard\": \"%s\", \"each\": \"site\"}".formatted(sites));
    JsonNode run = admin.post("/reports/" + id + "/run", "{}").json();
    assertThat(run.path("parts").intValue()).isEqualTo(2);
    String path = "/reports/" + id + "/runs/" + run.path("id").stringValue();
    List<JsonNode> parts = admin.get(path).json().path("content").valueStream().toList();
    assertThat(parts)
        .extracting(one -> one.path("label").stringValue())
        .containsExactly("east", "west");
    assertThat(
            parts
                .getLast()
                .path("panels")
                .get(0)
                .path("answer")
                .path("rows")
                .valueStream()
                .map(row -> row.path("object").path("name").stringValue()))
        .containsExactlyInAnyOrder("esx-b-1", "esx-b-2");
    assertThat(ReportOfPanel.text(file(path + "/pdf?part=1")))
        .contains("By site: east", "Hosts in east", "esx-a-1", "esx-a-2")
        .doesNotContain("esx-b");
  }

  @Test
  void runsThatAreTooOldAreForgottenButForTheNewest() {
    String id =
        make("/reports", "{\"name\": \"Ages\", \"dashboard\": \"%s\"}".formatted(dashboard));
    for (int i = 0; i < 3; i++) {
      assertThat(admin.post("/reports/" + id + "/run", "{}").status()).isEqualTo(200);
    }
    List<String> ids = runsOf(id).stream().map(one -> one.path("id").stringValue()).toList();
    String age = "update report_run set due_at = due_at - interval '%d days' where id = '%s'";
    data.sql(age.formatted(364, ids.get(1)));
    data.sql(age.formatted(366, ids.get(2)));
    runs().look(now);
    assertThat(runsOf(id))
        .extracting(one -> one.path("id").stringValue())
        .containsExactly(ids.get(0), ids.get(1));
    data.sql(age.formatted(800, ids.get(0)));
    data.sql(age.formatted(800, ids.get(1)));
    runs().look(now);
    assertThat(runsOf(id))
        .extracting(one -> one.path("id").stringValue())
        .containsExactly(ids.get(0));
  }

  @Test
  void aReceiverThatRefusesIsTriedAgainAndTheRunIsKept() {
    try (WebhookReceiver refusing = WebhookReceiver.start()) {
      refusing.script(WebhookReceiver.Reply.status(503), WebhookReceiver.Reply.status(503));
      String target =
          make(
              "/notification-targets",
              "{\"name\": \"Refuses\", \"type\": \"webhook\", \"webhook\": {\"url\": \"%s\"}}"
                  .formatted(refusing.url("/refuses")));
      String id =
          make(
              "/reports",
              "{\"name\": \"Refused\", \"dashboard\": \"%s\", \"targets\": [\"%s\"]}"
                  .formatted(dashboard, target));
      JsonNode run = admin.post("/reports/" + id + "/run?send=true", "{}").json();
      String delivery = run.path("deliveries").get(0).path("delivery").stringValue();
      await()
          .atMost(Duration.ofSeconds(60))
          .until(
              () ->
                  "delivered"
                      .equals(
                          admin
                              .get("/deliveries/" + delivery)
                              .json()
                              .path("delivery")
                              .path("state")
                              .stringValue()));
      assertThat(
              admin
                  .get("/deliveries/" + delivery)
                  .json()
                  .path("delivery")
                  .path("attempts")
                  .intValue())
          .isEqualTo(3);
      List<String> bodies =
          refusing.received().stream().map(WebhookReceiver.Received::text).toList();
      assertThat(bodies).hasSize(3).containsOnly(bodies.getFirst());

      refusing.usually(WebhookReceiver.Reply.status(400));
      JsonNode second = admin.post("/reports/" + id + "/run?send=true", "{}").json();
      String dead = second.path("deliveries").get(0).path("delivery").stringValue();
      await()
          .atMost(Duration.ofSeconds(60))
          .until(
              () ->
                  "dead"
                      .equals(
                          admin
                              .get("/deliveries/" + dead)
                              .json()
                              .path("delivery")
                              .path("state")
                              .stringValue()));
      String kept = "/reports/" + id + "/runs/" + second.path("id").stringValue();
      assertThat(admin.get(kept).json().path("content")).hasSize(1);
      assertThat(ReportOfPanel.text(file(kept + "/pdf"))).contains("Refused", "Hosts of cluster-a");
    }
  }

  // -----------------------------------------------------------------------------------------
  // rights

  @Test
  void aReportWhoseOwnerMayNoLongerReadItsDashboardSaysSoAndSendsNothing() {
    ApiClient kim = operator("kim-of-reports");
    String shared = dashboard("Once shared", "shared");
    Instant due = soon(4);
    Answer made =
        kim.post(
            "/reports",
            "{\"name\": \"Lost\", \"dashboard\": \"%s\", \"schedule\": %s, \"targets\": [\"%s\"]}"
                .formatted(shared, daily(due), mail));
    assertThat(made.status()).as(made.body()).isEqualTo(201);
    String id = made.json().path("id").stringValue();
    Answer hidden =
        admin
            .with("If-Match", "\"1\"")
            .put(
                "/dashboards/" + shared,
                "{\"visibility\": \"private\", \"definition\": %s}"
                    .formatted(PANELS.formatted("Once shared")));
    assertThat(hidden.status()).as(hidden.body()).isEqualTo(200);

    assertThat(runs().look(due.plusSeconds(5))).isPositive();

    JsonNode run = runsOf(id).getFirst();
    assertThat(run.path("state").stringValue()).isEqualTo("failed");
    assertThat(run.path("reason").stringValue()).contains("kim-of-reports");
    assertThat(run.path("deliveries")).isEmpty();
    assertThat(received("Lost")).isEmpty();
    assertThat(kim.post("/reports/" + id + "/run?send=true", "{}").status()).isNotEqualTo(200);
    assertThat(received("Lost")).isEmpty();
  }

  @Test
  void aReportReadsWhatItsOwnerReads() {
    ApiClient ann = operator("ann-of-reports");
    ApiClient ben = operator("ben-of-reports");
    Answer own =
        ann.post(
            "/dashboards",
            "{\"visibility\": \"private\", \"definition\": %s}"
                .formatted(PANELS.formatted("Of Ann")));
    String secret = own.json().path("id").stringValue();
    String body = "{\"name\": \"%s\", \"dashboard\": \"%s\"}";
    assertThat(ben.post("/reports", body.formatted("Of Ben", secret)).body())
        .contains("is not there, or is private to somebody else");
    Answer made = ann.post("/reports", body.formatted("Of Ann", secret));
    assertThat(made.status()).as(made.body()).isEqualTo(201);
    String id = made.json().path("id").stringValue();
    assertThat(ben.get("/reports/" + id).status()).isEqualTo(404);
    assertThat(ben.get("/reports").body()).doesNotContain(id);
    assertThat(ben.post("/reports/" + id + "/run", "{}").status()).isEqualTo(404);
    Answer ran = ann.post("/reports/" + id + "/run", "{}");
    assertThat(ran.status()).as(ran.body()).isEqualTo(200);
    assertThat(
            admin
                .post(
                    "/reports",
                    "{\"name\": \"For Ben\", \"owner\": \"ben-of-reports\", \"dashboard\": \"%s\"}"
                        .formatted(secret))
                .body())
        .contains("is private, and not of ben-of-reports");
  }

  @Test
  void aReportWhoseDashboardIsGoneSaysSo() {
    Instant due = soon(3);
    String gone = dashboard("Goes", "shared");
    String id =
        make(
            "/reports",
            "{\"name\": \"Gone\", \"dashboard\": \"%s\", \"schedule\": %s, \"targets\": [\"%s\"]}"
                .formatted(gone, daily(due), mail));
    assertThat(admin.with("If-Match", "\"1\"").delete("/dashboards/" + gone).status())
        .isEqualTo(204);
    assertThat(runs().look(due.plusSeconds(5))).isPositive();
    JsonNode run = runsOf(id).getFirst();
    assertThat(run.path("state").stringValue()).isEqualTo("failed");
    assertThat(run.path("reason").stringValue()).contains("dashboard");
    assertThat(run.path("deliveries")).isEmpty();
    assertThat(received("Gone")).isEmpty();
  }
}
