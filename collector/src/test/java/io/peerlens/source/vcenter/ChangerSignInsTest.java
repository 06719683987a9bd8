package io.peerlens.source.vcenter;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.vcenter.events.CloudEvents;
import io.peerlens.vcenter.vim.Moref;
import io.peerlens.vcenter.vim.XmlTexts;
import io.peerlens.vcenter.vim.XmlValue;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ChangerSignInsTest {

  private static final Instant NINE = Instant.parse("2026-11-26T09:00:00Z");

  private final ChangerSignIns signIns = new ChangerSignIns();

  private static XmlValue event(String type, int key, String user, String members)
      throws Exception {
    return XmlTexts.value(
        "<returnval xsi:type='%s'><key>%d</key><chainId>%d</chainId><userName>%s</userName>%s</returnval>"
            .formatted(type, key, key, user, members));
  }

  private void signIn(int key, String user, Instant at) throws Exception {
    signIns.note(event("UserLoginSessionEvent", key, user, "<ipAddress>192.0.2.7</ipAddress>"), at);
  }

  private static XmlValue change(String type, String user, String vm) throws Exception {
    return event(
        type, 90, user, "<vm><name>web</name><vm type='VirtualMachine'>%s</vm></vm>".formatted(vm));
  }

  private static XmlValue task(String id, String user) throws Exception {
    return XmlTexts.value(
        """
        <returnval><key>task-1</key><descriptionId>%s</descriptionId><entity type='VirtualMachine'>vm-1</entity>
        <reason xsi:type='TaskReasonUser'><userName>%s</userName></reason></returnval>"""
            .formatted(id, user));
  }

  @Test
  void theSignInOfWhoChangesAnObjectIsToldOnceForIt() throws Exception {
    signIn(7, "CORP\\ada", NINE);
    XmlValue change = change("VmReconfiguredEvent", "CORP\\ada", "vm-1");
    Instant at = NINE.plus(Duration.ofMinutes(20));
    ChangerSignIns.Telling told = signIns.ofEvent(change, at).orElseThrow();
    assertThat(told.object()).isEqualTo(new Moref("VirtualMachine", "vm-1"));
    assertThat(told.at()).isEqualTo(NINE);
    assertThat(signIns.ofEvent(change, at.plusSeconds(1))).isEmpty();
    assertThat(signIns.ofEvent(change("VmReconfiguredEvent", "CORP\\ada", "vm-2"), at)).isPresent();
  }

  @Test
  void theSignInOfWhoAsksForATaskIsToldHoweverTheAccountIsWritten() throws Exception {
    signIn(7, "ada@corp", NINE);
    Instant at = NINE.plus(Duration.ofMinutes(59));
    assertThat(signIns.ofTask(task("VirtualMachine.createSnapshot", "CORP\\ada"), at)).isPresent();
  }

  @Test
  void theSignInOfWhoOnlyReadsIsNotTold() throws Exception {
    signIn(7, "CORP\\reader", NINE);
    signIn(8, "CORP\\ada", NINE);
    assertThat(signIns.ofEvent(change("VmReconfiguredEvent", "CORP\\bob", "vm-1"), NINE)).isEmpty();
    assertThat(signIns.ofEvent(change("VmMessageEvent", "CORP\\ada", "vm-1"), NINE)).isEmpty();
    assertThat(signIns.ofTask(task("SearchIndex.findByUuid", "CORP\\ada"), NINE)).isEmpty();
    assertThat(signIns.ofEvent(change("VmReconfiguredEvent", "", "vm-1"), NINE)).isEmpty();
  }

  @Test
  void aSignInIsNotToldOfAChangeBeforeItOrMoreThanAnHourAfter() throws Exception {
    signIn(7, "CORP\\ada", NINE);
    XmlValue change = change("VmReconfiguredEvent", "CORP\\ada", "vm-1");
    assertThat(signIns.ofEvent(change, NINE.minusSeconds(1))).isEmpty();
    assertThat(signIns.ofEvent(change, NINE.plusSeconds(3601))).isEmpty();
    signIn(9, "CORP\\ada", NINE.plusSeconds(3600));
    assertThat(signIns.ofEvent(change, NINE.plusSeconds(3601)).orElseThrow().at())
        .isEqualTo(NINE.plusSeconds(3600));
  }

  @Test
  void theEventOfASignInNamesWhoFromWhereAndWhatWasChanged() throws Exception {
    signIn(7, "CORP\\ada", NINE);
    ChangerSignIns.Telling told =
        signIns.ofEvent(change("VmReconfiguredEvent", "CORP\\ada", "vm-1"), NINE).orElseThrow();
    JsonNode event =
        JsonMapper.shared()
            .readTree(
                new CloudEvents("vc", 1_000_000).signIn(told.event(), told.at(), told.object()));
    assertThat(event.path("type").stringValue()).isEqualTo("com.vmware.vsphere.SignInOfChanger.v0");
    assertThat(event.at("/data/key").stringValue()).isEqualTo("7/vm-1");
    assertThat(event.at("/data/userName").stringValue()).isEqualTo("CORP\\ada");
    assertThat(event.at("/data/ipAddress").stringValue()).isEqualTo("192.0.2.7");
    assertThat(event.at("/data/entity/value").stringValue()).isEqualTo("vm-1");
    assertThat(event.path("time").stringValue()).isEqualTo("2026-11-26T09:00:00Z");
  }
}
