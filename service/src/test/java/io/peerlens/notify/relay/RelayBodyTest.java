package io.peerlens.notify.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.peerlens.notify.relay.ForeignAlertStore.Report;
import io.peerlens.notify.relay.NotificationRelay.Labels;
import io.peerlens.notify.relay.RelayBody.Read;
import io.peerlens.web.ApiException;
import io.peerlens.web.ErrorCode;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class RelayBodyTest {

  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
  private static final String ID = "45b6a1e0-0cc4-4c3d-8f0e-1d3a4f6f9a01";

  static final String REST_JSON =
      """
      {"startDate": 1795255200000, "criticality": "ALERT_CRITICALITY_LEVEL_CRITICAL", "Risk": 1.0, "resourceId":
       "7d0f3e06-62c5-4a0b-9d0c-8c1f1d0a7a11", "alertId": "45b6a1e0-0cc4-4c3d-8f0e-1d3a4f6f9a01", "status": "ACTIVE",
       "subType": "ALERT_SUBTYPE_AVAILABILITY_PROBLEM", "cancelDate": 0, "resourceKind": "VirtualMachine",
       "alertName": "VM is down", "attributeKeyID": 5325, "Efficiency": 1.0, "adapterKind": "VMWARE", "Health": 4.0,
       "type": "ALERT_TYPE_APPLICATION_PROBLEM", "resourceName": "web-01", "updateDate": 1795255260000,
       "info": "VM is powered off\\nGuest does not answer"}
      """;

  static final String REST_XML =
      """
      <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
      <alert>
        <alertId>45b6a1e0-0cc4-4c3d-8f0e-1d3a4f6f9a01</alertId><alertName>VM is down</alertName>
        <startDate>1795255200000</startDate><updateDate>1795255260000</updateDate><cancelDate>0</cancelDate>
        <criticality>ALERT_CRITICALITY_LEVEL_CRITICAL</criticality><status>ACTIVE</status>
        <type>ALERT_TYPE_APPLICATION_PROBLEM</type><subType>ALERT_SUBTYPE_AVAILABILITY_PROBLEM</subType>
        <resourceId>7d0f3e06-62c5-4a0b-9d0c-8c1f1d0a7a11</resourceId><resourceName>web-01</resourceName>
        <resourceKind>VirtualMachine</resourceKind><adapterKind>VMWARE</adapterKind><attributeKeyId>5325</attributeKeyId>
        <Health>4.0</Health><Risk>1.0</Risk><Efficiency>1.0</Efficiency>
        <info>VM is powered off
      Guest does not answer</info>
      </alert>
      """;

  static final String ALERTMANAGER =
      """
      {"receiver": "peerlens", "status": "firing", "version": "4", "groupKey": "{}:{alertname=\\"HostDown\\"}", "truncatedAlerts": 0,
       "groupLabels": {"alertname": "HostDown"}, "commonLabels": {"alertname": "HostDown"}, "commonAnnotations": {},
       "externalURL": "http://alertmanager.example:9093",
       "alerts": [
         {"status": "firing", "labels": {"alertname": "HostDown", "severity": "page", "instance": "esx-a-05:9100", "env": "lab"},
          "annotations": {"summary": "esx-a-05 is down", "description": "It has not answered for 5 minutes.", "runbook_url": "https://wiki.example/down"},
          "startsAt": "2026-11-21T11:50:00.123Z", "endsAt": "0001-01-01T00:00:00Z", "generatorURL": "http://prometheus.example/graph", "fingerprint": "a1b2c3d4e5f60718"},
         {"status": "resolved", "labels": {"alertname": "HostDown", "severity": "warning", "instance": "[::1]:9100"}, "annotations": {},
          "startsAt": "2026-11-21T11:00:00Z", "endsAt": "2026-11-21T11:55:00Z", "generatorURL": "", "fingerprint": "ffffffffffffffff"}]}
      """;

  private static Read read(String body, @Nullable String id, Charset charset) {
    return RelayBody.read(body.getBytes(charset), id, Labels.USUAL, NOW);
  }

  private static Report one(String body, @Nullable String id) {
    List<Report> reports = read(body, id, StandardCharsets.UTF_8).reports();
    assertThat(reports).hasSize(1);
    return reports.getFirst();
  }

  private static ApiException refused(String body) {
    return refused(body.getBytes(StandardCharsets.UTF_8));
  }

  private static ApiException refused(byte[] body) {
    ApiException refused =
        catchThrowableOfType(ApiException.class, () -> RelayBody.read(body, ID, Labels.USUAL, NOW));
    assertThat(refused).isNotNull();
    assertThat(refused.code()).isEqualTo(ErrorCode.INVALID_BODY);
    assertThat(refused.hint()).isNotNull();
    return refused;
  }

  private static void isTheAlert(Report report) {
    assertThat(report.key()).isEqualTo(ID);
    assertThat(report.open()).isTrue();
    assertThat(report.began()).isEqualTo(Instant.ofEpochMilli(1795255200000L));
    assertThat(report.at()).isEqualTo(Instant.ofEpochMilli(1795255260000L));
    assertThat(report.late()).isNull();
    JsonNode alert = report.context().path("alert");
    assertThat(alert.path("id").asString("")).isEqualTo(ID);
    assertThat(alert.path("name").asString("")).isEqualTo("VM is down");
    assertThat(alert.path("criticality").asString("")).isEqualTo("CRITICAL");
    assertThat(alert.path("type").asString("")).isEqualTo("APPLICATION");
    assertThat(alert.path("subType").asString("")).isEqualTo("AVAILABILITY");
    assertThat(alert.path("impact").asString("")).isEqualTo("HEALTH");
    assertThat(alert.path("health").asDouble(0)).isEqualTo(4);
    assertThat(alert.path("attributeKeyId").asInt(0)).isEqualTo(5325);
    assertThat(alert.path("startTime").asLong(0)).isEqualTo(1795255200000L);
    assertThat(alert.path("info").asString("")).startsWith("VM is powered off");
    assertThat(alert.path("symptoms")).hasSize(2);
    assertThat(alert.path("symptoms").get(1).path("message").asString(""))
        .isEqualTo("Guest does not answer");
    JsonNode object = report.context().path("object");
    assertThat(object.path("name").asString("")).isEqualTo("web-01");
    assertThat(object.path("kind").asString("")).isEqualTo("VirtualMachine");
    assertThat(object.path("adapterKind").asString("")).isEqualTo("VMWARE");
  }

  @Test
  void theRestPluginIsReadInJsonAndInXmlAlike() {
    isTheAlert(one(REST_JSON, ID));
    isTheAlert(one(REST_JSON, null));
    isTheAlert(one(REST_XML.strip(), ID));
    assertThat(one(REST_XML.strip(), ID).digest()).isEqualTo(one(REST_JSON, ID).digest());
  }

  @Test
  void byteOrderMarkAndEncodingDoNotMatter() {
    isTheAlert(one("\uFEFF \r\n\t" + REST_JSON, ID));
    isTheAlert(one("{\"alert\": " + REST_JSON + "}", ID));
    String german = REST_XML.strip().replace("UTF-8", "ISO-8859-1").replace("web-01", "wäb-01");
    assertThat(
            read(german, ID, StandardCharsets.ISO_8859_1)
                .reports()
                .getFirst()
                .context()
                .at("/object/name")
                .asString(""))
        .isEqualTo("wäb-01");
    assertThat(
            one(REST_XML.strip().replace("VM is down", "<![CDATA[a < b]]> &amp; &#99;"), ID)
                .context()
                .at("/alert/name")
                .asString(""))
        .isEqualTo("a < b & c");
  }

  @ParameterizedTest
  @CsvSource({
    "ALERT_CRITICALITY_LEVEL_INFO, INFORMATION",
    "ALERT_CRITICALITY_LEVEL_INFORMATION, INFORMATION",
    "ALERT_CRITICALITY_LEVEL_WARNING, WARNING",
    "ALERT_CRITICALITY_LEVEL_IMMEDIATE, IMMEDIATE",
    "ALERT_CRITICALITY_LEVEL_CRITICAL, CRITICAL",
    "Critical, CRITICAL",
    "info, INFORMATION",
    "3, IMMEDIATE",
    "ALERT_CRITICALITY_LEVEL_AUTO, WARNING",
    "something, WARNING"
  })
  void everySpellingOfACriticalityIsKnown(String spelled, String criticality) {
    assertThat(
            one(REST_JSON.replace("ALERT_CRITICALITY_LEVEL_CRITICAL", spelled), ID)
                .context()
                .at("/alert/criticality")
                .asString(""))
        .isEqualTo(criticality);
    assertThat(
            one(REST_XML.strip().replace("ALERT_CRITICALITY_LEVEL_CRITICAL", spelled), ID)
                .context()
                .at("/alert/criticality")
                .asString(""))
        .isEqualTo(criticality);
  }

  @ParameterizedTest
  @ValueSource(strings = {"CANCELED", "Cancelled", "INACTIVE", "closed"})
  void anAlertThatIsOverIsOverSinceItsCancelDate(String status) {
    Report report =
        one(
            REST_JSON
                .replace("\"ACTIVE\"", "\"" + status + "\"")
                .replace("\"cancelDate\": 0", "\"cancelDate\": 1795255300000"),
            ID);
    assertThat(report.open()).isFalse();
    assertThat(report.at()).isEqualTo(Instant.ofEpochMilli(1795255300000L));
  }

  @Test
  void aRepetitionHasTheSameDigestAndAnythingThatMattersAnotherOne() {
    String digest = one(REST_JSON, ID).digest();
    assertThat(one(REST_JSON.replace("1795255260000", "1795255290000"), ID).digest())
        .isEqualTo(digest);
    for (String other : List.of("web-02", "VM is up", "CRITICALITY_LEVEL_WARNING")) {
      assertThat(
              one(
                      REST_JSON
                          .replace("web-01", other)
                          .replace("LEVEL_CRITICAL", "LEVEL_IMMEDIATE"),
                      ID)
                  .digest())
          .isNotEqualTo(digest);
    }
  }

  @Test
  void aWebhookMayNameItsMembersLikeTheVariablesOfTemplates() {
    Report report =
        one(
            """
            {"ALERT_ID": "45b6a1e0-0cc4-4c3d-8f0e-1d3a4f6f9a01", "alert-definition": "VM is down", "ALERT_STATUS": "Active",
             "ALERT_CRITICALITY": "Immediate", "ALERT_TYPE": "Application", "ALERT_SUBTYPE": "Availability", "ALERT_IMPACT": "risk",
             "RESOURCE_NAME": "web-01", "RESOURCE_KIND": "Virtual Machine", "ADAPTER_KIND": "vCenter",
             "CREATE_TIME": "Sat Nov 21 11:00:00 UTC 2026", "UPDATE_TIME": "2026-11-21T11:30:00Z", "CANCEL_TIME": "",
             "SYMPTOMS": ["one", "two"], "ALERT_RECOMMENDATIONS": "Do this\\nThen that", "OBJECT_HEALTH_STATE": "RED",
             "CONTROL_STATE": "Assigned", "LINK_TO_ALERT": "https://vrops.example/a", "HOST_NAME": {"deep": 1}, "OWNER": "${UNSET}"}
            """,
            null);
    assertThat(report.key()).isEqualTo(ID);
    assertThat(report.began()).isEqualTo(Instant.parse("2026-11-21T11:00:00Z"));
    assertThat(report.at()).isEqualTo(Instant.parse("2026-11-21T11:30:00Z"));
    JsonNode alert = report.context().path("alert");
    assertThat(alert.path("criticality").asString("")).isEqualTo("IMMEDIATE");
    assertThat(alert.path("impact").asString("")).isEqualTo("RISK");
    assertThat(alert.path("controlState").asString("")).isEqualTo("ASSIGNED");
    assertThat(alert.path("health").asDouble(0)).isEqualTo(4);
    assertThat(alert.path("recommendations")).hasSize(2);
    assertThat(alert.path("symptoms")).hasSize(2);
    assertThat(alert.path("owner").isNull()).isTrue();
    assertThat(alert.path("url").asString("")).isEqualTo("https://vrops.example/a");
    assertThat(report.context().at("/object/kind").asString("")).isEqualTo("VirtualMachine");
    assertThat(report.context().at("/object/adapterKind").asString("")).isEqualTo("VMWARE");
  }

  @Test
  void anAlertWithoutObjectHasNone() {
    Report report = one("{\"alertId\": \"a\", \"status\": \"ACTIVE\"}", "a");
    assertThat(report.context().path("object").isNull()).isTrue();
    assertThat(report.context().at("/alert/name").asString(""))
        .isEqualTo("Alert of vRealize Operations");
    assertThat(report.at()).isNull();
  }

  @Test
  void theTestButtonOfVropsCreatesNoAlert() {
    assertThat(read("", "test", StandardCharsets.UTF_8).reports()).isEmpty();
    assertThat(read(" \n", null, StandardCharsets.UTF_8).reports()).isEmpty();
    assertThat(
            read(REST_JSON.replace("VMWARE", "sample-adapter-type"), ID, StandardCharsets.UTF_8)
                .reports())
        .isEmpty();
    assertThat(
            read(
                    REST_XML.strip().replace("VMWARE", "sample-adapter-type"),
                    ID,
                    StandardCharsets.UTF_8)
                .reports())
        .isEmpty();
  }

  @Test
  void everyAlertOfAlertmanagerStandsForItself() {
    Read read = read(ALERTMANAGER, null, StandardCharsets.UTF_8);
    assertThat(read.remark()).isNull();
    assertThat(read.reports()).hasSize(2);
    Report firing = read.reports().getFirst();
    assertThat(firing.key()).isEqualTo("a1b2c3d4e5f60718");
    assertThat(firing.open()).isTrue();
    assertThat(firing.at()).isEqualTo(Instant.parse("2026-11-21T11:50:00.123Z"));
    assertThat(firing.late()).isEqualTo(Duration.ofMinutes(1));
    JsonNode alert = firing.context().path("alert");
    assertThat(alert.path("name").asString("")).isEqualTo("HostDown");
    assertThat(alert.path("criticality").asString("")).isEqualTo("CRITICAL");
    assertThat(alert.path("info").asString("")).isEqualTo("esx-a-05 is down");
    assertThat(alert.path("explanation").asString(""))
        .isEqualTo("It has not answered for 5 minutes.");
    assertThat(alert.path("url").asString("")).isEqualTo("http://prometheus.example/graph");
    assertThat(alert.path("recommendations").get(0).asString(""))
        .isEqualTo("https://wiki.example/down");
    assertThat(alert.path("startTime").asLong(0))
        .isEqualTo(Instant.parse("2026-11-21T11:50:00.123Z").toEpochMilli());
    JsonNode object = firing.context().path("object");
    assertThat(object.path("name").asString("")).isEqualTo("esx-a-05");
    assertThat(object.path("tags").path("env").asString("")).isEqualTo("lab");
    assertThat(object.path("properties").path("annotations|runbook_url").asString(""))
        .isEqualTo("https://wiki.example/down");

    Report resolved = read.reports().get(1);
    assertThat(resolved.open()).isFalse();
    assertThat(resolved.began()).isEqualTo(Instant.parse("2026-11-21T11:00:00Z"));
    assertThat(resolved.at()).isEqualTo(Instant.parse("2026-11-21T11:55:00Z"));
    assertThat(resolved.context().at("/object/name").asString("")).isEqualTo("[::1]");
    assertThat(resolved.context().at("/alert/url").asString(""))
        .isEqualTo("http://alertmanager.example:9093");
  }

  @Test
  void theLabelSettingsOfARelayAreApplied() {
    Labels labels =
        new Labels(
            "prio", Map.of("p1", "CRITICAL", "p3", "INFORMATION"), List.of("vm"), "VirtualMachine");
    String body =
        """
        {"alerts": [{"status": "firing", "labels": {"alertname": "Slow", "prio": "P3", "severity": "critical", "vm": "web-01", "host": "x"}}]}
        """;
    Read read = RelayBody.read(body.getBytes(StandardCharsets.UTF_8), "any", labels, NOW);
    Report report = read.reports().getFirst();
    assertThat(report.context().at("/alert/criticality").asString("")).isEqualTo("INFORMATION");
    assertThat(report.context().at("/object/name").asString("")).isEqualTo("web-01");
    assertThat(report.context().at("/object/kind").asString("")).isEqualTo("VirtualMachine");
    assertThat(report.key()).as("made of the labels").hasSize(36);
    assertThat(
            RelayBody.read(
                    body.replace("P3", "P1").getBytes(StandardCharsets.UTF_8), null, labels, NOW)
                .reports()
                .getFirst()
                .key())
        .isNotEqualTo(report.key());
  }

  @Test
  void missingFieldsGetARemark() {
    assertThat(
            read(
                    ALERTMANAGER.replace("\"truncatedAlerts\": 0", "\"truncatedAlerts\": 7"),
                    null,
                    StandardCharsets.UTF_8)
                .remark())
        .contains("left out 7 alerts");
  }

  @Test
  void aClockThatIsFastDoesNotReachIntoTheFuture() {
    assertThat(one(REST_JSON.replace("1795255260000", "1995255260000"), ID).at()).isEqualTo(NOW);
  }

  @Test
  void textsCanBeStored() {
    Report report = one(REST_JSON.replace("web-01", "a\\u0000b\\ud800c"), ID);
    assertThat(report.context().at("/object/name").asString("")).isEqualTo("abc");
    Report large = one(REST_JSON.replace("VM is down", "x".repeat(100_000)), ID);
    assertThat(large.context().at("/alert/name").asString("")).hasSize(500);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"alertName\": \"a\", | The body is no JSON: line 1, column",
        "[1] | is a list",
        "hello | neither JSON nor XML: byte 1 is 0x68",
        "{} | Nothing in the body is known of alerts",
        "{\"alertId\": \"other\", \"status\": \"ACTIVE\"} | alertId: is not the id of the path",
        "{\"status\": \"ACTIVE\"} {} | no JSON",
        "{\"alerts\": 5} | alerts: is no list",
        "{\"alerts\": [5]} | alerts[0].labels",
        "{\"alerts\": [{\"labels\": {}, \"status\": \"lost\"}]} | alerts[0].status: is neither firing nor resolved",
        "{\"alerts\": [], \"version\": \"3\"} | version: is 3, not 4",
        "<alert><a></alert> | no well-formed XML: line 1, column",
        "<alarm/> | root of the XML is alarm, not alert",
        "<!DOCTYPE alert><alert/> | DTD",
        "<alert><info>&x;</info></alert> | XML"
      })
  void anInvalidBodyIsRefusedWithThePlaceOfTheError(String body, String words) {
    assertThat(refused(body).detail()).contains(words);
  }

  @Test
  void anAlertWithoutAnyIdIsRefused() {
    assertThatThrownBy(() -> read("{\"status\": \"ACTIVE\"}", null, StandardCharsets.UTF_8))
        .isInstanceOf(ApiException.class)
        .hasMessageContaining("alertId");
  }

  @Test
  @Timeout(10)
  void nothingIsFetchedAndNothingGrows() {
    String external =
        """
        <?xml version="1.0"?><!DOCTYPE alert [<!ENTITY x SYSTEM "file:///etc/passwd">]>
        <alert><alertId>a</alertId><info>&x;</info></alert>
        """;
    assertThat(refused(external).detail()).contains("DTD");
    StringBuilder laughs =
        new StringBuilder("<?xml version=\"1.0\"?><!DOCTYPE alert [<!ENTITY l0 \"ha\">");
    for (int i = 1; i < 20; i++) {
      laughs.append("<!ENTITY l%d \"%s\">".formatted(i, ("&l" + (i - 1) + ";").repeat(10)));
    }
    laughs.append("]><alert><info>&l19;</info></alert>");
    assertThat(refused(laughs.toString()).detail()).contains("DTD");
    assertThat(refused("{\"a\":".repeat(100_000) + "1" + "}".repeat(100_000)).detail())
        .contains("nested");
    assertThat(refused("<alert>" + "<a>".repeat(100_000)).detail()).contains("deep");
    assertThat(refused("<alert>" + "<a/>".repeat(100_000)).detail()).contains("1,000 elements");
    assertThat(refused(new byte[] {(byte) 0x1f, (byte) 0x8b, 8, 0}).detail()).contains("0x1f");
    assertThat(
            refused(new byte[] {'{', '"', (byte) 0xff, (byte) 0xfe, '"', ':', '1', '}'}).detail())
        .contains("no JSON");
  }
}
