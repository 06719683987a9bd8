package io.peerlens.source.vcenter;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.vcenter.inventory.Inventory;
import io.peerlens.vcenter.inventory.PropertyTable;
import io.peerlens.vcenter.inventory.UnreferencedDisks;
import io.peerlens.vcenter.inventory.UnreferencedDisks.Disk;
import io.peerlens.vcenter.vim.Moref;
import io.peerlens.vcenter.vim.ObjectUpdate;
import io.peerlens.vcenter.vim.PropertyChange;
import io.peerlens.vcenter.vim.ScriptedVim;
import io.peerlens.vcenter.vim.VimClient;
import io.peerlens.vcenter.vim.XmlValue;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of datastores of a scripted vCenter: vcsim finds at once, and refuses nobody. */
class DatastoreFileReadingTest {

  private static final Instant NOW = Instant.parse("2026-11-28T08:00:00Z");
  private static final Moref DATASTORE = new Moref("Datastore", "datastore-1");

  @TempDir private Path folder;
  private final Inventory inventory = new Inventory(PropertyTable.shipped(), "vc", "vCenter 8.0.3");
  private final DatastoreFileReading reading = new DatastoreFileReading();
  private ScriptedVim vcenter;
  private VimClient client;

  @BeforeEach
  void start() throws Exception {
    vcenter =
        new ScriptedVim(folder)
            .property("browser", "<val type=\"HostDatastoreBrowser\">browser-1</val>")
            .answer("SearchDatastoreSubFolders_Task", "<returnval type=\"Task\">task-1</returnval>")
            .property("info.state", "<val>running</val>");
    client = vcenter.client();
    datastore(DATASTORE, "ds1");
    inventory.apply(
        new ObjectUpdate(
            ObjectUpdate.Kind.ENTER,
            new Moref("VirtualMachine", "vm-1"),
            List.of(
                text("name", "web1"),
                new PropertyChange("datastore", list(XmlValue.ofReference("ref", DATASTORE))),
                new PropertyChange(
                    "config.hardware.device",
                    list(
                        XmlValue.ofChildren(
                            "VirtualDevice",
                            "VirtualDisk",
                            List.of(
                                XmlValue.ofChildren(
                                    "backing",
                                    "VirtualDiskFlatVer2BackingInfo",
                                    List.of(
                                        XmlValue.ofText(
                                            "fileName", "", "[ds1] web1/web1-000001.vmdk")))))))),
            List.of()));
  }

  private void datastore(Moref moref, String name) {
    inventory.apply(
        new ObjectUpdate(ObjectUpdate.Kind.ENTER, moref, List.of(text("name", name)), List.of()));
  }

  private static PropertyChange text(String path, String text) {
    return new PropertyChange(path, XmlValue.ofText("val", "", text));
  }

  private static XmlValue list(XmlValue child) {
    return XmlValue.ofChildren("val", "", List.of(child));
  }

  @AfterEach
  void stop() {
    client.close();
    vcenter.close();
  }

  private UnreferencedDisks told() {
    return reading.found().get(DATASTORE);
  }

  @Test
  void filesAreReadWhenTheSearchHasFoundThem() {
    assertThat(reading.round(client, NOW, inventory)).isFalse();
    assertThat(reading.round(client, NOW.plusSeconds(20), inventory)).as("it runs").isFalse();
    vcenter
        .property("info.state", "<val>success</val>")
        .property(
            "info.result",
            """
            <val xsi:type="ArrayOfHostDatastoreBrowserSearchResults">
            <HostDatastoreBrowserSearchResults><datastore type="Datastore">datastore-1</datastore><folderPath>[ds1] web1/</folderPath>
              <file xsi:type="FileInfo"><path>web1.vmdk</path><fileSize>500</fileSize><modification>2026-11-27T08:00:00.123456Z</modification></file>
              <file xsi:type="FileInfo"><path>web1-000001.vmdk</path><fileSize>400</fileSize></file></HostDatastoreBrowserSearchResults>
            <HostDatastoreBrowserSearchResults><folderPath>[ds1] old</folderPath>
              <file><path>old.vmdk</path><fileSize>500</fileSize><modification>2026-03-01T09:00:00+01:00</modification><owner>root</owner></file>
              <file><path>old-flat.vmdk</path><fileSize>42949672960</fileSize><modification>2026-02-01T08:00:00Z</modification></file></HostDatastoreBrowserSearchResults>
            <HostDatastoreBrowserSearchResults><folderPath>[ds1] empty</folderPath></HostDatastoreBrowserSearchResults></val>""");
    assertThat(reading.round(client, NOW.plusSeconds(40), inventory)).isTrue();
    assertThat(told().disks())
        .containsExactly(
            new Disk("old/old", 2, 42949673460L, Instant.parse("2026-03-01T08:00:00Z"), ""));
    vcenter.asked.clear();
    assertThat(reading.round(client, NOW.plus(Duration.ofHours(23)), inventory)).isFalse();
    assertThat(vcenter.asked).as("once a day").isEmpty();
    reading.round(client, NOW.plus(Duration.ofHours(25)), inventory);
    assertThat(vcenter.asked).contains("SearchDatastoreSubFolders_Task");
  }

  @Test
  void anAccountThatMayNotBrowseIsToldWhatItLacks() {
    vcenter.fault("SearchDatastoreSubFolders_Task", "NoPermission", "Permission was denied.");
    assertThat(reading.round(client, NOW, inventory)).isTrue();
    assertThat(told().listedAt()).isNull();
    assertThat(told().trouble()).contains("Datastore.Browse");
  }

  @Test
  void aSearchThatFailsSaysWhyAndTheOthersGoOn() {
    Moref second = new Moref("Datastore", "datastore-2");
    datastore(second, "ds2");
    reading.round(client, NOW, inventory);
    vcenter
        .property("info.state", "<val>error</val>")
        .property(
            "info.error",
            "<val><fault xsi:type=\"FileNotFound\"/><localizedMessage>The host is away.</localizedMessage></val>");
    reading.round(client, NOW.plusSeconds(20), inventory);
    assertThat(told().trouble()).isEqualTo("vCenter could not list its files: The host is away.");
    assertThat(reading.found()).containsKeys(DATASTORE, second);
    vcenter.asked.clear();
    reading.round(client, NOW.plus(Duration.ofMinutes(50)), inventory);
    assertThat(vcenter.asked).isEmpty();
    reading.round(client, NOW.plus(Duration.ofMinutes(70)), inventory);
    assertThat(vcenter.asked).as("after an hour").contains("SearchDatastoreSubFolders_Task");
  }

  @Test
  void aSearchWithoutAnEndIsGivenUp() {
    reading.round(client, NOW, inventory);
    reading.round(client, NOW.plus(Duration.ofMinutes(61)), inventory);
    assertThat(told().trouble()).contains("within 60 minutes");
    assertThat(vcenter.asked).contains("CancelTask");
  }

  @Test
  void noMoreThanFourAreSearchedAtATime() {
    for (int i = 2; i <= 9; i++) {
      datastore(new Moref("Datastore", "datastore-" + i), "ds" + i);
    }
    reading.round(client, NOW, inventory);
    assertThat(vcenter.asked.stream().filter("SearchDatastoreSubFolders_Task"::equals))
        .hasSize(DatastoreFileReading.AT_ONCE);
  }
}
