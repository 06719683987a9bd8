package io.peerlens.notify.dispatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import io.peerlens.node.Role;
import io.peerlens.support.AlertSteps;
import io.peerlens.support.Alertmanager;
import io.peerlens.support.ApiClient;
import io.peerlens.support.ApiClient.Answer;
import io.peerlens.support.PeerlensServer;
import io.peerlens.support.Programs;
import io.peerlens.support.SampleData;
import io.peerlens.support.ScriptedSmtp;
import io.peerlens.support.UdpRelay;
import io.peerlens.support.WebhookReceiver;
import io.peerlens.support.WebhookReceiver.Received;
import io.peerlens.support.WebhookReceiver.Reply;
import jakarta.mail.internet.MimeMessage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.TestAbortedException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Every kind of receiver, well and in trouble, through the whole of the service: definitions by the
 * API, steps of alerts in the database, built-in templates, real protocols.
 *
 * <p>Three alerts live side by side. All troubles come at once, when the first of them opens, the
 * second changes and the third ends; so each receiver is in its trouble at each event. The service
 * is stopped and started again while that lasts. What was seen is looked at cell by cell.
 */
class NotificationMatrixIT {

  /** What happens to an alert, and how a mail says it. */
  private enum Event {
    NEW("New"),
    UPDATE("Changed"),
    CANCEL("Over");

    final String inMails;

    Event(String inMails) {
      this.inMails = inMails;
    }

    /** The alert that this is in trouble at. */
    String vm() {
      return "vm-" + name().toLowerCase(Locale.ROOT);
    }
  }

  private static final List<Event> EVENTS = List.of(Event.values());

  /** Of targets that hang; others have all the time they need on a busy machine. */
  private static final Duration TIMEOUT = Duration.ofSeconds(3);

  private static final Duration PATIENT = Duration.ofSeconds(60);

  private enum Http {
    OK,
    TOO_MANY,
    BROKEN,
    HANGS,
    RESETS,
    RESTART;

    boolean hangs() {
      return this == HANGS || this == RESTART;
    }
  }

  private enum Smtp {
    OK("250 2.0.0 queued"),
    NOT_AVAILABLE("421 4.3.2 not now"),
    GREYLISTED("451 4.7.1 later"),
    REFUSES("550 5.7.1 no"),
    HANGS(ScriptedSmtp.HANG),
    RESETS(ScriptedSmtp.RESET),
    RESTART(ScriptedSmtp.HANG);

    final String answer;

    Smtp(String answer) {
      this.answer = answer;
    }

    boolean hangs() {
      return this == HANGS || this == RESTART;
    }
  }

  private static final Pattern SUBJECT =
      Pattern.compile("(?m)^Subject: \\[Peerlens] (\\w+): CPU high on (vm-\\w+)$");
  private static final Pattern MESSAGE_ID = Pattern.compile("(?m)^Message-ID: *(\\S+)$");

  private static final String HOOKS =
      """
      [{
        "id": "alerts",
        "execute-command": "%s",
        "trigger-rule-mismatch-http-response-code": 403,
        "pass-arguments-to-command": [
          {"source": "payload", "name": "event"}, {"source": "payload", "name": "object.name"}],
        "trigger-rule": {"match": {
          "type": "payload-hmac-sha256", "secret": "It's a Secret to Everybody",
          "parameter": {"source": "header", "name": "X-Hub-Signature-256"}}}
      }]
      """;

  @TempDir private static Path folder;

  private static final List<AutoCloseable> open = new ArrayList<>();
  private static final Map<String, String> targets = new HashMap<>();
  private static final Map<Event, UUID> alerts = new EnumMap<>(Event.class);
  private static final Map<Smtp, ScriptedSmtp> smtp = new EnumMap<>(Smtp.class);
  private static final Set<String> inTrouble = ConcurrentHashMap.newKeySet();
  private static final Map<String, JsonNode> stopped = new HashMap<>();
  private static final List<Set<String>> firing = new ArrayList<>();
  private static final Map<String, TestAbortedException> absent = new HashMap<>();

  private static SampleData data;
  private static AlertSteps steps;
  private static PeerlensServer server;
  private static ApiClient api;
  private static String token;
  private static WebhookReceiver http;
  private static GreenMail mails;
  private static Alertmanager alertmanager;
  private static UdpRelay relay;
  private static Path traps;
  private static Path hooked;
  private static Instant stoppedAt;
  private static Instant startedAt;

  // The installation ------------------------------------------------------------------------------

  @BeforeAll
  static void live() throws Exception {
    data = SampleData.create();
    open.add(data);
    steps = new AlertSteps(data, InstantSource.system());
    server = service();
    open.add(() -> server.close());
    token = server.adminToken();
    api = new ApiClient(server.url(), token);
    webhooks();
    mailServers();
    real("snmptrapd", NotificationMatrixIT::trapReceiver);
    real("webhook", NotificationMatrixIT::debianWebhook);
    real("alertmanager", NotificationMatrixIT::alertmanager);
    liveThrough();
  }

  private static PeerlensServer service() {
    byte[] key = new byte[32];
    Arrays.fill(key, (byte) 5);
    return PeerlensServer.start(
        data.database(),
        Set.of(Role.NOTIFIER, Role.API),
        "peerlens.secrets.key=" + Base64.getEncoder().encodeToString(key),
        "peerlens.notify.egress.allow=127.0.0.1",
        "peerlens.notify.url=https://peerlens.example",
        "peerlens.notify.delivery.retry-first=200ms",
        "peerlens.notify.delivery.retry-longest=2s",
        "peerlens.notify.delivery.poll=100ms");
  }

  /** Where a program is not installed its cells are skipped, and the others are not. */
  private static void real(String receiver, Starting starting) throws Exception {
    try {
      starting.start();
    } catch (TestAbortedException e) {
      absent.put(receiver, e);
    }
  }

  private interface Starting {
    void start() throws Exception;
  }

  private static void target(String name, String type, String settings) {
    String body = "{'name': '%s', 'type': '%s', '%s': %s, 'limits': {'connections': 8}}";
    targets.put(name, make("/notification-targets", body.formatted(name, type, type, settings)));
  }

  private static void rule(String name, String template, Stream<String> to) {
    String ids = to.map(one -> "'" + targets.get(one) + "'").reduce((a, b) -> a + ", " + b).get();
    String body = "{'name': '%s', 'template': '%s', 'targets': [%s], 'sources': ['peerlens']}";
    make("/notification-rules", body.formatted(name, template, ids));
  }

  private static String make(String path, String body) {
    Answer made = api.post(path, body.replace('\'', '"'));
    assertThat(made.status()).as(made.body()).isEqualTo(201);
    return made.json().path("id").asString("");
  }

  private static void secret(String name, String value) {
    Answer made = api.put("/secrets/" + name, "{\"value\": \"" + value + "\"}");
    assertThat(made.status()).as(made.body()).isLessThan(300);
  }

  private static int freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    }
  }

  private static void run(ProcessBuilder builder, String log) throws IOException {
    Process process =
        builder.redirectErrorStream(true).redirectOutput(folder.resolve(log).toFile()).start();
    open.add(
        () -> {
          process.destroy();
          process.waitFor(10, TimeUnit.SECONDS);
        });
  }

  // Receivers -------------------------------------------------------------------------------------

  private static void webhooks() {
    http = WebhookReceiver.start();
    open.add(http);
    String settings = "{'url': '%s', 'timeout': '%ds'}";
    for (Http trouble : Http.values()) {
      String url = http.url("/" + trouble);
      target("http " + trouble, "webhook", settings.formatted(url, seconds(trouble.hangs())));
      http.at("/" + trouble, request -> answer(trouble, request));
    }
    for (Event event : EVENTS) {
      String path = "/gone/" + event;
      target("gone at " + event, "webhook", settings.formatted(http.url(path), seconds(false)));
      http.at(
          path,
          request ->
              isAt(request, event) && inTrouble.add(path) ? Reply.status(410) : Reply.status(200));
    }
    rule("webhooks", "generic-json", names("http ").stream());
    rule("webhooks that go", "generic-json", names("gone ").stream());
  }

  private static long seconds(boolean hangs) {
    return (hangs ? TIMEOUT : PATIENT).toSeconds();
  }

  private static Set<String> names(String start) {
    Set<String> names = new TreeSet<>(targets.keySet());
    names.removeIf(name -> !name.startsWith(start));
    return names;
  }

  private static Reply answer(Http trouble, Received request) {
    for (Event event : EVENTS) {
      if (isAt(request, event) && inTrouble.add(trouble + " " + event)) {
        return switch (trouble) {
          case OK -> Reply.status(200);
          case TOO_MANY -> Reply.status(429).header("Retry-After", "1");
          case BROKEN -> Reply.status(500);
          case HANGS, RESTART -> Reply.hang();
          case RESETS -> Reply.reset();
        };
      }
    }
    return Reply.status(200);
  }

  private static boolean isAt(Received request, Event event) {
    JsonNode body = JsonMapper.shared().readTree(request.text());
    return body.path("event").asString("").equals(event.name()) && vm(body).equals(event.vm());
  }

  private static String vm(JsonNode body) {
    return body.path("object").path("name").asString("");
  }

  private static void mailServers() {
    String settings =
        "{'host': '127.0.0.1', 'port': %d, 'security': 'none', 'from': 'ops@peerlens.example', 'to': ['oncall@x.example'], 'timeout': '%ds'}";
    for (Smtp trouble : Smtp.values()) {
      ScriptedSmtp scripted = ScriptedSmtp.plain();
      open.add(scripted);
      scripted.taking(mail -> answer(trouble, mail));
      smtp.put(trouble, scripted);
      target(
          "smtp " + trouble,
          "email",
          settings.formatted(scripted.port(), seconds(trouble.hangs())));
    }
    mails = new GreenMail(new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_SMTP));
    mails.start();
    open.add(mails::stop);
    target(
        "smtp greenmail", "email", settings.formatted(mails.getSmtp().getPort(), seconds(false)));
    rule("mails", "email", names("smtp ").stream());
  }

  private static String answer(Smtp trouble, String mail) {
    Matcher subject = SUBJECT.matcher(mail);
    assertThat(subject.find()).as(mail).isTrue();
    for (Event event : EVENTS) {
      if (subject.group(1).equals(event.inMails)
          && subject.group(2).equals(event.vm())
          && inTrouble.add("smtp " + trouble + " " + event)) {
        return trouble.answer;
      }
    }
    return Smtp.OK.answer;
  }

  private static void trapReceiver() throws IOException {
    Path program = Programs.need("snmptrapd", "Debian package snmptrapd");
    int port;
    try (DatagramSocket free = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    Answer asked = api.get("/snmp-engine");
    assertThat(asked.status()).isEqualTo(200);
    String engine = asked.json().path("engineId").asString("");
    Path configuration =
        Files.writeString(
            folder.resolve("snmptrapd.conf"),
            """
            disableAuthorization no
            authCommunity log c0mmunity
            createUser -e %s trapper SHA-256 authpass12345 AES-128 privpass12345
            authUser log trapper priv
            createUser informer SHA-256 authpass12345 AES-128 privpass12345
            authUser log informer priv
            format2 TRAP %%V|%%v\\n
            """
                .formatted(engine));
    traps = folder.resolve("traps.log");
    Path mib = Path.of("..", "docs", "PEERLENS-MIB.txt").toAbsolutePath().normalize();
    ProcessBuilder builder =
        new ProcessBuilder(
            program.toString(),
            "-f",
            "-Lf",
            traps.toString(),
            "-C",
            "-c",
            configuration.toString(),
            "-M",
            Path.of("..", "notifications", "src", "test", "resources", "mibs").toAbsolutePath()
                + ":"
                + mib.getParent(),
            "-m",
            "SNMPv2-MIB:" + mib,
            "udp:127.0.0.1:" + port);
    builder.environment().put("SNMP_PERSISTENT_DIR", folder.toString());
    run(builder, "snmptrapd.log");
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> Files.exists(traps) && Files.readString(traps).contains("NET-SNMP"));
    relay = UdpRelay.to(port);
    open.add(relay);
    secret("community", "c0mmunity");
    secret("auth", "authpass12345");
    secret("priv", "privpass12345");
    String host = "{'host': '127.0.0.1', 'port': %d, 'timeout': '%s', ";
    String user =
        "'version': 'v3', 'user': '%s', 'authProtocol': 'SHA-256', 'authPassword': {'secret': 'auth'}, 'privProtocol': 'AES-128', 'privPassword': {'secret': 'priv'}, 'inform': %s}";
    target(
        "v2c trap",
        "snmp",
        host.formatted(port, "10s")
            + "'version': 'v2c', 'community': {'secret': 'community'}, 'inform': false}");
    target("v3 trap", "snmp", host.formatted(port, "10s") + user.formatted("trapper", false));
    target("v3 inform", "snmp", host.formatted(port, "10s") + user.formatted("informer", true));
    target(
        "inform unanswered",
        "snmp",
        host.formatted(relay.port(), "2s") + user.formatted("informer", true));
    for (String one : List.of("v2c trap", "v3 trap", "v3 inform", "inform unanswered")) {
      rule(one, "snmp-peerlens", Stream.of(one));
    }
  }

  private static void debianWebhook() throws IOException {
    Path program = Programs.need("webhook", "Debian package webhook");
    hooked = folder.resolve("hooked.txt");
    Path command =
        Files.writeString(folder.resolve("hook.sh"), "#!/bin/sh\necho \"$1 $2\" >> " + hooked);
    Files.setPosixFilePermissions(command, PosixFilePermissions.fromString("rwx------"));
    Files.createFile(hooked);
    Path hooks = Files.writeString(folder.resolve("hooks.json"), HOOKS.formatted(command));
    int port = freePort();
    run(
        new ProcessBuilder(
            program.toString(),
            "-hooks",
            hooks.toString(),
            "-ip",
            "127.0.0.1",
            "-port",
            Integer.toString(port)),
        "webhook.log");
    await().atMost(Duration.ofSeconds(20)).until(() -> answers(port));
    secret("hook", "It's a Secret to Everybody");
    target(
        "debian webhook",
        "webhook",
        "{'url': 'http://127.0.0.1:%d/hooks/alerts', 'signing': {'type': 'hmac', 'secrets': [{'secret': 'hook'}]}}"
            .formatted(port));
    rule("signed", "generic-json", Stream.of("debian webhook"));
  }

  private static boolean answers(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  private static void alertmanager() {
    alertmanager =
        Alertmanager.startOrSkip(
            folder, "route: {receiver: nobody}\nreceivers: [{name: nobody}]\n");
    open.add(alertmanager);
    target("alertmanager", "webhook", "{'url': '%s'}".formatted(alertmanager.url("")));
    rule("alertmanager", "alertmanager-v2", Stream.of("alertmanager"));
  }

  // The lives of the alerts -----------------------------------------------------------------------

  private static void liveThrough() {
    for (Event event : List.of(Event.UPDATE, Event.CANCEL)) {
      alerts.put(event, opens(event));
    }
    quiet("two alerts are open");
    steps.severity(alerts.get(Event.CANCEL), 4);
    quiet("one of them has changed");

    if (relay != null) {
      relay.deaf(true);
    }
    alerts.put(Event.NEW, opens(Event.NEW));
    steps.severity(alerts.get(Event.UPDATE), 4);
    steps.cancels(alerts.get(Event.CANCEL));
    await("receivers that hang have their requests")
        .atMost(Duration.ofSeconds(30))
        .until(
            () ->
                EVENTS.stream()
                    .allMatch(
                        event ->
                            inTrouble.contains("RESTART " + event)
                                && inTrouble.contains("smtp RESTART " + event)));
    stoppedAt = Instant.now();
    server.close();
    startedAt = Instant.now();
    server = service();
    api = new ApiClient(server.url(), token);
    if (relay != null) {
      await("informs that nobody answers")
          .atMost(Duration.ofSeconds(30))
          .until(
              () ->
                  count(
                          "select count(*) from delivery where target_name = 'inform unanswered' and status = 'retry'")
                      == EVENTS.size());
      relay.deaf(false);
    }
    await("those that are gone are left alone")
        .atMost(Duration.ofSeconds(30))
        .until(
            () ->
                count("select count(*) from target_line where stopped_at is not null")
                    == EVENTS.size());
    quiet("all troubles are over");
    for (JsonNode state : api.get("/notification-targets/states").json().path("items")) {
      stopped.put(state.path("target").asString(""), state);
    }
    for (String gone : names("gone ")) {
      String path = "/notification-targets/" + targets.get(gone) + "/resume";
      assertThat(api.post(path, "").status()).isEqualTo(204);
    }
    quiet("those that were gone have heard of the others");
    alertmanagerSees();

    steps.severity(alerts.get(Event.NEW), 4);
    steps.cancels(alerts.get(Event.UPDATE));
    quiet("one is left");
    alertmanagerSees();
    steps.cancels(alerts.get(Event.NEW));
    quiet("all are over");
    alertmanagerSees();
  }

  private static UUID opens(Event event) {
    return steps.opens(data.object("VMWARE", "VirtualMachine", event.vm()), 2);
  }

  /** Nothing waits but for those that are stopped. */
  private static void quiet(String what) {
    BooleanSupplier isQuiet =
        () ->
            count(
                    """
                    select (select count(*) from alert_outbox) + (
                      select count(*) from delivery where status in ('waiting', 'retry', 'sending')
                        and target_id not in (select target_id from target_line where stopped_at is not null))
                    """)
                == 0;
    await(what).atMost(Duration.ofMinutes(2)).until(isQuiet::getAsBoolean);
  }

  private static long count(String sql) {
    return data.jdbc().sql(sql).query(Long.class).single();
  }

  private static void alertmanagerSees() {
    Set<String> now = new TreeSet<>();
    if (alertmanager != null) {
      for (JsonNode alert : alertmanager.alerts()) {
        JsonNode labels = alert.path("labels");
        now.add(labels.path("object").asString("") + " " + labels.path("severity").asString(""));
      }
    }
    firing.add(now);
  }

  @AfterAll
  static void close() throws Exception {
    for (AutoCloseable one : open.reversed()) {
      one.close();
    }
  }

  // Cells -----------------------------------------------------------------------------------------

  private static Stream<DynamicTest> cells(String receiver, Consumer<Event> cell) {
    return EVENTS.stream()
        .map(event -> dynamicTest(receiver + ", " + event, () -> cell.accept(event)));
  }

  private static void need(String receiver) {
    TestAbortedException why = absent.get(receiver);
    if (why != null) {
      throw why;
    }
  }

  /** How deliveries of an alert to a target ended: event, change, status. */
  private static List<String> deliveries(String target, Event event) {
    return data.jdbc()
        .sql(
            """
            select event || ' ' || status from delivery where target_name = ? and subject_id = ? order by number
            """)
        .params(target, alerts.get(event))
        .query(String.class)
        .list();
  }

  private static List<String> all(String status) {
    return EVENTS.stream().map(event -> event + " " + status).toList();
  }

  /** All three events; the one at which there was trouble as often as is said. */
  private static List<String> events(Event trouble, int times) {
    List<String> events = new ArrayList<>();
    for (Event event : EVENTS) {
      for (int i = 0; i < (event == trouble ? times : 1); i++) {
        events.add(event.name());
      }
    }
    return events;
  }

  private static List<String> withoutRepetitions(List<String> all) {
    List<String> changes = new ArrayList<>();
    for (String one : all) {
      if (changes.isEmpty() || !changes.getLast().equals(one)) {
        changes.add(one);
      }
    }
    return changes;
  }

  @TestFactory
  Stream<DynamicTest> webhook() {
    return Stream.of(Http.values())
        .flatMap(trouble -> cells("webhook " + trouble, event -> webhook(trouble, event)));
  }

  private static List<Received> requests(String path, String vm) {
    return http.received().stream()
        .filter(one -> one.target().equals(path))
        .filter(one -> vm(JsonMapper.shared().readTree(one.text())).equals(vm))
        .toList();
  }

  private static List<String> events(List<Received> requests) {
    return requests.stream()
        .map(one -> JsonMapper.shared().readTree(one.text()).path("event").asString(""))
        .toList();
  }

  private static void webhook(Http trouble, Event event) {
    List<Received> requests = requests("/" + trouble, event.vm());
    boolean isWell = trouble == Http.OK;
    if (trouble.hangs()) { // a slow machine may see one time out that was answered
      assertThat(withoutRepetitions(events(requests))).isEqualTo(events(event, 1));
    } else {
      assertThat(events(requests)).isEqualTo(events(event, isWell ? 1 : 2));
    }
    assertThat(requests.stream().map(one -> one.header("webhook-id")).distinct())
        .as("each event has one id")
        .hasSize(EVENTS.size());
    assertThat(deliveries("http " + trouble, event)).isEqualTo(all("delivered"));
    if (isWell) {
      return;
    }
    int place = events(requests).indexOf(event.name());
    Received first = requests.get(place);
    Received second = requests.get(place + 1);
    assertThat(second.header("webhook-id")).isEqualTo(first.header("webhook-id"));
    assertThat(second.body()).isEqualTo(first.body());
    Duration between = Duration.between(first.at(), second.at());
    switch (trouble) {
      case TOO_MANY -> assertThat(between).isGreaterThanOrEqualTo(Duration.ofSeconds(1));
      case HANGS -> assertThat(between).isGreaterThanOrEqualTo(TIMEOUT.minusMillis(100));
      case RESTART -> {
        assertThat(first.at()).isBefore(stoppedAt);
        assertThat(second.at()).isAfter(startedAt);
      }
      case OK, BROKEN, RESETS -> {}
    }
  }

  @TestFactory
  Stream<DynamicTest> webhookThatIsGone() {
    return cells("webhook GONE", NotificationMatrixIT::gone);
  }

  private static void gone(Event event) {
    String target = "gone at " + event;
    JsonNode state = stopped.getOrDefault(targets.get(target), JsonMapper.shared().nullNode());
    assertThat(state.path("stoppedReason").asString("")).contains("410");
    List<Received> requests = requests("/gone/" + event, event.vm());
    assertThat(deliveries(target, event))
        .isEqualTo(
            switch (event) {
              // It knows nothing of the alert, so the next step opens it.
              case NEW -> List.of("NEW dead", "NEW delivered", "CANCEL delivered");
              case UPDATE -> List.of("NEW delivered", "UPDATE dead", "CANCEL delivered");
              case CANCEL -> List.of("NEW delivered", "UPDATE delivered", "CANCEL dead");
            });
    assertThat(events(requests))
        .isEqualTo(
            event == Event.NEW
                ? List.of("NEW", "NEW", "CANCEL")
                : List.of("NEW", "UPDATE", "CANCEL"));
    for (Event well : EVENTS) {
      if (well != event) {
        assertThat(deliveries(target, well)).as("the others wait").isEqualTo(all("delivered"));
      }
    }
  }

  @TestFactory
  Stream<DynamicTest> mailServer() {
    return Stream.of(Smtp.values())
        .flatMap(trouble -> cells("SMTP " + trouble, event -> mailServer(trouble, event)));
  }

  private static void mailServer(Smtp trouble, Event event) {
    List<String> said = new ArrayList<>();
    List<String> ids = new ArrayList<>();
    for (String mail : Objects.requireNonNull(smtp.get(trouble)).mails()) {
      Matcher subject = SUBJECT.matcher(mail);
      Matcher id = MESSAGE_ID.matcher(mail);
      assertThat(subject.find() && id.find()).as(mail).isTrue();
      if (subject.group(2).equals(event.vm())) {
        said.add(subject.group(1));
        ids.add(id.group(1));
      }
    }
    String target = "smtp " + trouble;
    if (trouble == Smtp.REFUSES) {
      assertThat(said)
          .isEqualTo(
              event == Event.NEW
                  ? List.of("New", "New", "Over")
                  : EVENTS.stream().map(one -> one.inMails).toList());
      assertThat(deliveries(target, event))
          .isEqualTo(
              switch (event) {
                case NEW -> List.of("NEW dead", "NEW delivered", "CANCEL delivered");
                case UPDATE -> List.of("NEW delivered", "UPDATE dead", "CANCEL delivered");
                case CANCEL -> List.of("NEW delivered", "UPDATE delivered", "CANCEL dead");
              });
      return;
    }
    List<String> words =
        events(event, trouble == Smtp.OK ? 1 : 2).stream()
            .map(one -> Event.valueOf(one).inMails)
            .toList();
    assertThat(trouble.hangs() ? withoutRepetitions(said) : said)
        .isEqualTo(trouble.hangs() ? withoutRepetitions(words) : words);
    assertThat(said.stream().filter(event.inMails::equals))
        .hasSizeGreaterThanOrEqualTo(trouble == Smtp.OK ? 1 : 2);
    assertThat(ids.stream().distinct())
        .as("what is sent again is the same mail")
        .hasSize(EVENTS.size());
    assertThat(deliveries(target, event)).isEqualTo(all("delivered"));
  }

  @TestFactory
  Stream<DynamicTest> snmptrapd() {
    return Stream.of("v2c trap", "v3 trap", "v3 inform", "inform unanswered")
        .flatMap(target -> cells("SNMP " + target, event -> trap(target, event)));
  }

  private static void trap(String target, Event event) {
    need("snmptrapd");
    String rule = "PEERLENS-MIB::peerlensRule.0 = STRING: " + target;
    String object = "PEERLENS-MIB::peerlensObjectName.0 = STRING: " + event.vm();
    List<String> of = lines(traps).filter(l -> l.contains(rule) && l.contains(object)).toList();
    List<String> names =
        of.stream()
            .map(line -> line.replaceFirst(".*= OID: PEERLENS-MIB::(peerlensAlert\\w+)\\|.*", "$1"))
            .toList();
    assertThat(target.equals("inform unanswered") ? withoutRepetitions(names) : names)
        .as("names of our MIB, in order")
        .containsExactly("peerlensAlertNew", "peerlensAlertUpdate", "peerlensAlertCancel");
    assertThat(of.get(0))
        .contains("peerlensAlertCriticality.0 = INTEGER: warning(2)")
        .contains("peerlensAlertStatus.0 = INTEGER: active(1)");
    assertThat(of.get(names.indexOf("peerlensAlertUpdate")))
        .contains("peerlensAlertCriticality.0 = INTEGER: critical(4)")
        .contains("peerlensPreviousCriticality.0 = INTEGER: warning(2)");
    assertThat(of.getLast()).contains("peerlensAlertStatus.0 = INTEGER: canceled(2)");
    assertThat(deliveries(target, event))
        .isEqualTo(all(target.endsWith("trap") ? "unconfirmed" : "delivered"));
    if (target.equals("inform unanswered")) {
      assertThat(
              data.jdbc()
                  .sql(
                      "select attempts from delivery where target_name = ? and subject_id = ? and event = ?")
                  .params(target, alerts.get(event), event.name())
                  .query(Integer.class)
                  .single())
          .as("it was lost once at least")
          .isGreaterThan(1);
    }
  }

  private static Stream<String> lines(Path file) {
    try {
      return Files.readAllLines(file).stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @TestFactory
  Stream<DynamicTest> greenMail() {
    return cells("GreenMail", event -> unchecked(() -> greenMail(event)));
  }

  private static void greenMail(Event event) throws Exception {
    List<MimeMessage> thread = new ArrayList<>();
    for (MimeMessage mail : mails.getReceivedMessages()) {
      if (mail.getSubject().endsWith(" on " + event.vm())) {
        thread.add(mail);
      }
    }
    assertThat(thread).hasSize(EVENTS.size());
    String first = thread.getFirst().getHeader("Message-ID", "\n");
    for (int i = 0; i < thread.size(); i++) {
      MimeMessage mail = thread.get(i);
      assertThat(mail.getSubject())
          .isEqualTo("[Peerlens] %s: CPU high on %s".formatted(EVENTS.get(i).inMails, event.vm()));
      assertThat(mail.getHeader("Auto-Submitted", "\n")).isEqualTo("auto-generated");
      assertThat(String.valueOf(mail.getHeader("References", "\n")))
          .as("the thread begins with the opening")
          .isEqualTo(i == 0 ? "null" : first);
      String text = new String(mail.getInputStream().readAllBytes());
      assertThat(text).contains("text/plain").contains("text/html");
    }
    assertThat(deliveries("smtp greenmail", event)).isEqualTo(all("delivered"));
  }

  private static void unchecked(Starting action) {
    try {
      action.start();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @TestFactory
  Stream<DynamicTest> debianWebhookVerifiesTheSignature() {
    return cells("webhook(1)", NotificationMatrixIT::signed);
  }

  private static void signed(Event event) {
    need("webhook");
    assertThat(deliveries("debian webhook", event)).isEqualTo(all("delivered"));
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(
            () ->
                assertThat(lines(hooked).filter(line -> line.endsWith(" " + event.vm())))
                    .containsExactlyInAnyOrderElementsOf(
                        EVENTS.stream().map(one -> one + " " + event.vm()).toList()));
  }

  @TestFactory
  Stream<DynamicTest> alertsComeAndGoInAlertmanager() {
    return cells("Alertmanager", NotificationMatrixIT::firing);
  }

  private static void firing(Event event) {
    need("alertmanager");
    assertThat(deliveries("alertmanager", event)).isEqualTo(all("delivered"));
    String warning = event.vm() + " warning";
    String critical = event.vm() + " critical";
    List<List<String>> seen =
        firing.stream()
            .map(now -> now.stream().filter(one -> one.startsWith(event.vm() + " ")).toList())
            .toList();
    assertThat(seen)
        .isEqualTo(
            switch (event) {
              case NEW -> List.of(List.of(warning), List.of(critical), List.of());
              case UPDATE -> List.of(List.of(critical), List.of(), List.of());
              case CANCEL -> List.of(List.of(), List.of(), List.of());
            });
  }
}
