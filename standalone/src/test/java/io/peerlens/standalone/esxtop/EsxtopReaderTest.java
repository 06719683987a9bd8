package io.peerlens.standalone.esxtop;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EsxtopReaderTest {

  private static final String NOON = "11/25/2026 12:00:00";
  private static final String NOON_NANOS = " 1795608000000000000\n";

  private final FakeDirectory directory =
      new FakeDirectory()
          .host("vc/host-1", "esx1.lab")
          .machine("vc/host-1", "vc/vm-1", "web1")
          .machine("vc/host-1", "vc/vm-2", "db1");

  private final List<EsxtopSample> samples = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();

  @Test
  void columnsBecomeLinesOfTheObjectsThatAreKnown() throws InterruptedException {
    EsxtopText text =
        new EsxtopText(
            "esx1.lab",
            "Group Cpu(7:web1)\\% Ready",
            "Vcpu(7:web1:71:vmx-vcpu-0:web1)\\% CoStop",
            "Group Memory(7:web1)\\Numa Local MBytes",
            "Group Memory(7:web1)\\Numa Remote MBytes",
            "Group Memory(7:web1)\\Numa % Local",
            "Virtual Disk(web1:scsi0:1)\\Average MilliSec/Read",
            "Physical Disk SCSI Device(naa.6)\\Average Driver MilliSec/Command",
            "Physical Disk SCSI Device(naa.6)\\Queued Commands",
            "Physical Disk Adapter(vmhba1)\\Adapter Q Depth",
            "Network Port(vSwitch0:33:vmnic0)\\MBits Received/sec");
    read(text.header() + text.line(NOON, "5.00", 1, 6144, "2048.5", 75, 3.5, 12, 4, 256, 8));
    assertThat(lines())
        .isEqualTo(
            """
            esxtop_vm_cpu,id=vc/vm-1 ready_summation=1000@
            esxtop_vm_cpu,id=vc/vm-1,instance=0 costop_summation=200@
            esxtop_vm_mem,id=vc/vm-1 numaLocal_latest=6291456,numaRemote_latest=2097664,numaLocality_latest=75@
            esxtop_vm_virtualDisk,id=vc/vm-1,instance=scsi0:1 totalReadLatency_average=3.5@
            esxtop_host_disk,id=vc/host-1,instance=naa.6 deviceLatency_average=12@
            esxtop_host_esxtop|device,id=vc/host-1,instance=naa.6 queued_latest=4@
            esxtop_host_storageAdapter,id=vc/host-1,instance=vmhba1 queueDepth_average=256@
            esxtop_host_net,id=vc/host-1,instance=vmnic0 received_average=1000@
            """
                .replace("@\n", NOON_NANOS));
    assertThat(samples.getFirst().records())
        .extracting(EsxtopSample.Record::key)
        .containsExactly("vc/vm-1", "vc/host-1");
    assertThat(notes)
        .containsExactly(
            "f.csv: host esx1.lab, 10 columns, of which 10 are sent, for it and 1 virtual machine; times are UTC.");
  }

  @Test
  void eachLineNamesItsSenderForThePageSources() throws InterruptedException {
    EsxtopText text = new EsxtopText("esx1.lab", "Memory\\Free MBytes");
    read(text.header() + text.line(NOON, 1));
    assertThat(sent())
        .isEqualTo(
            "esxtop_host_esxtop|mem,id=vc/host-1,host=esxtop\\ on\\ esx1.lab free_latest=1024"
                + NOON_NANOS);
  }

  @Test
  void processesOfTheHostAreNoMachines() throws InterruptedException {
    EsxtopText text =
        new EsxtopText(
            "esx1.lab",
            "Group Cpu(1:system)\\% Used",
            "Group Cpu(2:db1)\\% Used", // a process that is called like a machine
            "Vcpu(3:web1:31:vmx-vcpu-0:web1)\\% Used",
            "Group Cpu(3:web1)\\% Used",
            "Network Port(vSwitch0:33:Management)\\MBits Received/sec");
    read(text.header() + text.line(NOON, 1, 2, 3, 4, 5));
    assertThat(lines()).contains("vc/vm-1 used_summation=800").doesNotContain("vm-2");
    assertThat(notes).singleElement().asString().contains("and 1 virtual machine;");
  }

  @Test
  void withoutColumnsOfVirtualProcessorsTheNamesDecide() throws InterruptedException {
    EsxtopText text =
        new EsxtopText("esx1", "Group Cpu(1:system)\\% Used", "Group Cpu(2:db1)\\% Used");
    read(text.header() + text.line(NOON, 1, 2));
    assertThat(lines()).isEqualTo("esxtop_vm_cpu,id=vc/vm-2 used_summation=400" + NOON_NANOS);
    assertThat(notes).hasSize(1);
  }

  @Test
  void machinesOfOneNameAreReportedAndNotGuessed() throws InterruptedException {
    directory.machine("vc/host-1", "vc/vm-9", "web1");
    EsxtopText text =
        new EsxtopText(
            "esx1.lab", "Vcpu(3:web1:31:vmx-vcpu-0:web1)\\% Used", "Memory\\Free MBytes");
    read(text.header() + text.line(NOON, 3, 1));
    assertThat(lines()).startsWith("esxtop_host_esxtop|mem,id=vc/host-1 free_latest=1024 ");
    assertThat(lines()).doesNotContain("esxtop_vm");
    assertThat(notes)
        .contains(
            "f.csv: 2 virtual machines are called web1 (vc/vm-1, vc/vm-9), and esxtop tells only names: what is measured of it is left out. Rename one of them.");
  }

  @Test
  void twoGroupsOfOneNameAreReportedEvenIfOneMachineIsKnown() throws InterruptedException {
    EsxtopText text =
        new EsxtopText(
            "esx1.lab",
            "Vcpu(3:web1:31:vmx-vcpu-0:web1)\\% Used",
            "Vcpu(4:web1:41:vmx-vcpu-0:web1)\\% Used");
    read(text.header() + text.line(NOON, 3, 1));
    assertThat(lines()).isEmpty();
    assertThat(notes).anyMatch(note -> note.contains("2 virtual machines of esx1.lab are called"));
  }

  @Test
  void aMachineThatIsGoneDoesNotStandInTheWayOfOneThatReports() throws InterruptedException {
    directory.silentMachine("vc/host-1", "vc/vm-0", "web1");
    EsxtopText text = new EsxtopText("esx1.lab", "Vcpu(3:web1:31:vmx-vcpu-0:web1)\\% Used");
    read(text.header() + text.line(NOON, 3));
    assertThat(lines()).contains("id=vc/vm-1,");
  }

  @Test
  void aMachineThatHasMovedIsFoundInTheSameVCenterOnly() throws InterruptedException {
    directory
        .machine("vc/host-2", "vc/vm-5", "moved%2faway")
        .machine("other/host-2", "other/vm-5", "moved%2faway")
        .machine("other/host-2", "other/vm-6", "elsewhere");
    EsxtopText text =
        new EsxtopText(
            "esx1.lab",
            "Vcpu(3:moved/away:31:vmx-vcpu-0:moved/away)\\% Used",
            "Vcpu(4:elsewhere:41:vmx-vcpu-0:elsewhere)\\% Used");
    read(text.header() + text.line(NOON, 3, 4));
    assertThat(lines()).contains("id=vc/vm-5,").doesNotContain("other");
    assertThat(notes)
        .anyMatch(note -> note.contains("1 virtual machine of esx1.lab is not known (elsewhere)"));
  }

  @Test
  void aMachineThatIsReportedLaterIsFoundWithinAMinute() throws InterruptedException {
    EsxtopText text = new EsxtopText("esx1.lab", "Vcpu(3:new:31:vmx-vcpu-0:new)\\% Used");
    EsxtopReader reader = reader(EsxtopChoice.NONE, true);
    feed(reader, text.header() + text.line(NOON, 3));
    directory.machine("vc/host-1", "vc/vm-7", "new");
    feed(reader, text.line("11/25/2026 12:00:30", 3));
    assertThat(lines()).isEmpty();
    feed(reader, text.line("11/25/2026 12:01:00", 3));
    assertThat(lines()).contains("id=vc/vm-7,");
  }

  @ParameterizedTest
  @ValueSource(strings = {"esx1", "ESX1.LAB", "esx1.lab"})
  void aHostIsFoundByItsShortAndItsFullName(String name) throws InterruptedException {
    EsxtopText text = new EsxtopText(name, "Memory\\Free MBytes");
    read(text.header() + text.line(NOON, 1));
    assertThat(lines()).contains("id=vc/host-1 ");
  }

  @Test
  void aHostOfAnotherDomainIsAnotherHost() {
    String header = new EsxtopText("esx1.other", "Memory\\Free MBytes").header();
    assertThatThrownBy(() -> read(header))
        .hasMessageContaining("No host is called esx1.other")
        .hasMessageContaining("--host NAME")
        .hasMessageContaining("--create");
  }

  @Test
  void severalHostsOfOneNameAreTheUsersToTellApart() throws InterruptedException {
    directory.host("vc2/host-4", "esx1.lab");
    EsxtopText text = new EsxtopText("esx1", "Memory\\Free MBytes");
    assertThatThrownBy(() -> read(text.header()))
        .hasMessageContaining("2 hosts are called esx1")
        .hasMessageContaining("vc/host-1")
        .hasMessageContaining("vc2/host-4")
        .hasMessageContaining("--vcenter");
    feed(reader(new EsxtopChoice(null, "VC2", false), false), text.header() + text.line(NOON, 1));
    assertThat(lines()).contains("id=vc2/host-4 ");
  }

  @Test
  void aHostThatCallsItselfLocalhostIsNamedByTheUser() throws InterruptedException {
    EsxtopText text = new EsxtopText("localhost", "Memory\\Free MBytes");
    feed(
        reader(new EsxtopChoice("esx1.lab", null, false), false),
        text.header() + text.line(NOON, 1));
    assertThat(lines()).contains("id=vc/host-1 ");
  }

  @Test
  void objectsThatNobodyReportsAreMadeOnRequest() throws InterruptedException {
    EsxtopText text =
        new EsxtopText(
            "lonely",
            "Group Cpu(1:system)\\% Used",
            "Group Cpu(3:my vm)\\% Used",
            "Vcpu(3:my vm:31:vmx-vcpu-0:my vm)\\% Used",
            "Memory\\Free MBytes");
    feed(
        reader(new EsxtopChoice(null, null, true), false),
        text.header() + text.line(NOON, 1, 2, 3, 4) + text.line("11/25/2026 12:00:05", 1, 2, 3, 4));
    assertThat(lines())
        .contains(
            "{\"adapterKind\":\"VMWARE\",\"objectKind\":\"HostSystem\",\"name\":\"lonely\",\"id\":\"lonely\",\"time\":\"2026-11-25T12:00:00Z\"}",
            "\"objectKind\":\"VirtualMachine\",\"name\":\"my vm\",\"parents\":[{",
            "esxtop_vm_cpu,id=lonely/my\\ vm used_summation=400 ")
        .doesNotContain("system");
    assertThat(samples.getFirst().records()).hasSize(4);
    assertThat(samples.getLast().records()).hasSize(2);
  }

  @Test
  void aHostThatIsMadeHasTheNameThatTheUserGives() throws InterruptedException {
    EsxtopText text = new EsxtopText("localhost", "Memory\\Free MBytes");
    feed(reader(new EsxtopChoice("esx9", "lab", true), false), text.header() + text.line(NOON, 1));
    assertThat(sent())
        .contains("\"name\":\"esx9\",\"id\":\"lab/esx9\"")
        .contains(",id=lab/esx9,host=esxtop\\ on\\ esx9 ");
  }

  @Test
  void timesOfAnotherZoneBecomeUtcByTheMinutesOfTheHeader() throws InterruptedException {
    EsxtopText text = new EsxtopText("esx1", "Memory\\Free MBytes");
    read(text.header("(CEST)(-120)") + text.line("11/25/2026 14:00:00", 1));
    assertThat(lines()).endsWith(NOON_NANOS);
    assertThat(notes)
        .anyMatch(note -> note.endsWith("times are of the zone CEST, 120 min ahead of UTC."));
  }

  @Test
  void badCellsAreLeftOutAndCounted() throws InterruptedException {
    EsxtopText text =
        new EsxtopText(
            "esx1", "Memory\\Free MBytes", "Memory\\Kernel MBytes", "Memory\\Machine MBytes");
    EsxtopReader reader = reader(EsxtopChoice.NONE, false);
    feed(reader, text.header() + text.line(NOON, "-nan", "", "-1.5"));
    reader.summarize();
    assertThat(lines())
        .isEqualTo("esxtop_host_esxtop|mem,id=vc/host-1 machine_latest=-1536" + NOON_NANOS);
    assertThat(notes.getLast())
        .isEqualTo(
            "f.csv: 2 cells are no numbers and were left out, for example '-nan' (esxtop|mem, free_latest) in line 2.");
  }

  @Test
  void aBadLineIsReportedAndItsNeighboursAreTaken() throws InterruptedException {
    EsxtopText text = new EsxtopText("esx1", "Memory\\Free MBytes", "Memory\\Kernel MBytes");
    read(
        text.header()
            + text.line(NOON, 1)
            + text.line("25.11.2026 12:00", 1, 2)
            + text.line("02/30/2026 12:00:00", 1, 2)
            + text.line(NOON, 1, 2));
    assertThat(samples).hasSize(1);
    assertThat(notes.subList(1, 4))
        .containsExactly(
            "f.csv, line 2 is left out: it has 2 cells and the header has 3.",
            "f.csv, line 3 is left out: its time is '25.11.2026 12:00'; it must look like 11/25/2026 13:05:10.",
            "f.csv, line 4 is left out: its time is '02/30/2026 12:00:00'; it must look like 11/25/2026 13:05:10.");
  }

  @Test
  void manyBadLinesAreCountedAtTheEnd() throws InterruptedException {
    EsxtopText text = new EsxtopText("esx1", "Memory\\Free MBytes");
    EsxtopReader reader = reader(EsxtopChoice.NONE, false);
    feed(reader, text.header() + text.line(NOON, 1, 2, 3).repeat(12));
    reader.summarize();
    assertThat(notes).hasSize(1 + 5 + 1);
    assertThat(notes.getLast()).isEqualTo("f.csv: 7 more lines were left out.");
  }

  @Test
  void aLineThatTheFileCutsOffIsLeftOut() throws InterruptedException {
    EsxtopText text = new EsxtopText("esx1", "Memory\\Free MBytes");
    read(text.header() + text.line(NOON, 1) + "\"11/25/2026 12:00:05\",\"2.5");
    assertThat(samples).hasSize(1);
    assertThat(notes.getLast()).isEqualTo("f.csv, line 3 is left out: the file ends within it.");
  }

  @Test
  void aLastLineWithoutItsEndIsTakenWhenItIsWhole() throws InterruptedException {
    EsxtopText text = new EsxtopText("esx1", "Memory\\Free MBytes");
    read(text.header() + text.line(NOON, 1).strip());
    assertThat(samples).hasSize(1);
  }

  @Test
  void anotherHeaderSetsTheColumnsAnew() throws InterruptedException {
    EsxtopText first = new EsxtopText("esx1", "Memory\\Free MBytes");
    EsxtopText second = new EsxtopText("esx1", "Memory\\Kernel MBytes", "Memory\\Free MBytes");
    read(
        first.header()
            + first.line(NOON, 1)
            + second.header()
            + second.line("11/25/2026 12:00:05", 1, 2));
    assertThat(lines()).contains("kernel_latest=1024,free_latest=2048 ");
  }

  @Test
  void aHeaderBehindALineThatWasCutOffCounts() throws InterruptedException {
    EsxtopText text = new EsxtopText("esx1", "Memory\\Free MBytes", "Memory\\Kernel MBytes");
    read(text.header() + "\"11/25/2026 11:59:55\",\"1" + text.header() + text.line(NOON, 1, 2));
    assertThat(samples).hasSize(1);
    assertThat(lines()).contains("free_latest=1024,kernel_latest=2048 ");
  }

  @Test
  void aFileOfAnotherKindIsRefused() {
    assertThatThrownBy(() -> read("time,cpu\n1,2\n"))
        .isInstanceOf(EsxtopException.class)
        .hasMessageContaining("f.csv is not what esxtop -b writes");
  }

  @Test
  void itDoesNotMatterHowTheBytesAreCut() throws InterruptedException {
    EsxtopText text = new EsxtopText("esx1", "Memory\\Free MBytes", "Memory\\Kernel MBytes");
    byte[] bytes = (text.header() + text.line(NOON, 1, 2).replace("\n", "\r\n")).getBytes(UTF_8);
    EsxtopReader reader = reader(EsxtopChoice.NONE, false);
    for (int i = 0; i < bytes.length; i++) {
      reader.accept(bytes, i, i + 1);
    }
    assertThat(lines())
        .isEqualTo(
            "esxtop_host_esxtop|mem,id=vc/host-1 free_latest=1024,kernel_latest=2048" + NOON_NANOS);
  }

  @Test
  void countersOfNodesThatHaveNoNameHereKeepTheirOwn() throws InterruptedException {
    EsxtopText text =
        new EsxtopText("esx1", "NUMA Node(1)\\Free MBytes", "NUMA Node(1)\\% Remote Pages/sec");
    read(text.header() + text.line(NOON, 2, 7));
    assertThat(lines())
        .contains("esxtop_host_numa,id=vc/host-1,instance=1 freeMemory_latest=2048 ")
        .contains("esxtop_host_esxtop|numa,id=vc/host-1,instance=1 remotePagesPerSec=7 ");
  }

  @Test
  void namesWithCommasAndBlanksAreEscaped() throws InterruptedException {
    EsxtopText text = new EsxtopText("esx1", "Physical Disk NFS Volume(a, b=c)\\Active Commands");
    read(text.header() + text.line(NOON, 2));
    assertThat(lines()).contains(",instance=a\\,\\ b\\=c active_latest=2 ");
  }

  /** What is kept grows with the columns alone: a line allocates its records and little else. */
  @Test
  void aLineOf60000ColumnsAllocatesLittleMoreThanItsRecords() throws InterruptedException {
    EsxtopText text = EsxtopText.ofHost("esx1", 60_000);
    for (int i = 0; i < 2_000; i++) {
      directory.machine("vc/host-1", "vc/vm-1" + i, "vm-" + i);
    }
    long[] sent = new long[2];
    EsxtopReader reader =
        new EsxtopReader(
            "f.csv",
            directory,
            EsxtopChoice.NONE,
            false,
            0,
            sample -> {
              sent[0]++;
              sample.records().forEach(record -> sent[1] += record.value().length);
            },
            notes::add);
    byte[] line = text.line(NOON, new Random(1)).getBytes(UTF_8);
    feed(reader, text.header());
    reader.accept(line, 0, line.length);
    sent[1] = 0;
    var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < 5; i++) {
      reader.accept(line, 0, line.length);
    }
    long allocated = threads.getCurrentThreadAllocatedBytes() - before;
    assertThat(sent[0]).isEqualTo(6);
    assertThat(sent[1]).isGreaterThan(5_000_000);
    assertThat(allocated).isLessThan(sent[1] + sent[1] / 4);
  }

  private void read(String text) throws InterruptedException {
    EsxtopReader reader = reader(EsxtopChoice.NONE, false);
    feed(reader, text);
    reader.end();
  }

  private EsxtopReader reader(EsxtopChoice choice, boolean follows) {
    return new EsxtopReader("f.csv", directory, choice, follows, 0, samples::add, notes::add);
  }

  private static void feed(EsxtopReader reader, String text) throws InterruptedException {
    byte[] bytes = text.getBytes(UTF_8);
    reader.accept(bytes, 0, bytes.length);
  }

  /** All lines, without the tag that names their sender. */
  private String lines() {
    return sent().replaceAll(",host=esxtop\\\\ on\\\\ [^ ]+", "");
  }

  private String sent() {
    StringBuilder sent = new StringBuilder();
    samples.forEach(
        sample ->
            sample.records().forEach(record -> sent.append(new String(record.value(), UTF_8))));
    return sent.toString();
  }
}
