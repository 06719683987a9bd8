package io.peerlens.flow.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peerlens.flow.decode.Flow;
import io.peerlens.flow.network.AddressBook.Builder;
import io.peerlens.flow.network.AddressBook.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class AddressBookTest {

  private static Builder add(
      Builder builder, String address, int objectId, Kind kind, long from, long to) {
    Addresses parsed = Flow.address(address);
    return builder.add(parsed.high(), parsed.low(), objectId, kind, from, to);
  }

  private static Builder vm(Builder builder, String address, int objectId, long from, long to) {
    return add(builder, address, objectId, Kind.VM, from, to);
  }

  private static int owner(AddressBook book, String address, long time) {
    Addresses parsed = Flow.address(address);
    int entry = book.find(parsed.high(), parsed.low(), time);
    return entry == AddressBook.NONE ? -1 : book.objectId(entry);
  }

  @Test
  void anObjectMayHaveSeveralAddressesOfBothFamilies() {
    Builder builder = new Builder();
    vm(builder, "10.77.2.13", 3, Long.MIN_VALUE, Long.MAX_VALUE);
    vm(builder, "fd00:77:2::13", 3, Long.MIN_VALUE, Long.MAX_VALUE);
    vm(builder, "10.77.2.14", 4, Long.MIN_VALUE, Long.MAX_VALUE);
    AddressBook book = builder.build();

    assertThat(owner(book, "10.77.2.13", 0)).isEqualTo(3);
    assertThat(owner(book, "::ffff:10.77.2.13", 0)).isEqualTo(3);
    assertThat(owner(book, "fd00:77:2::13", Long.MAX_VALUE - 1)).isEqualTo(3);
    assertThat(owner(book, "10.77.2.14", 0)).isEqualTo(4);
    assertThat(owner(book, "10.77.2.15", 0)).isEqualTo(-1);
    assertThat(book.addresses()).isEqualTo(3);
    assertThat(owner(AddressBook.empty(), "10.77.2.13", 0)).isEqualTo(-1);
  }

  @Test
  void anAddressMovesFromOneObjectToAnother() {
    Builder builder = new Builder();
    vm(builder, "10.0.0.1", 1, Long.MIN_VALUE, 100);
    vm(builder, "10.0.0.1", 2, 150, 200);
    vm(builder, "10.0.0.1", 1, 200, Long.MAX_VALUE);
    AddressBook book = builder.build();

    assertThat(owner(book, "10.0.0.1", 99)).isEqualTo(1);
    assertThat(owner(book, "10.0.0.1", 100)).isEqualTo(-1);
    assertThat(owner(book, "10.0.0.1", 150)).isEqualTo(2);
    assertThat(owner(book, "10.0.0.1", 199)).isEqualTo(2);
    assertThat(owner(book, "10.0.0.1", 200)).isEqualTo(1);
    assertThat(book.addresses()).isEqualTo(1);
    assertThat(book.conflicts()).isEmpty();
  }

  @Test
  void theNewestOfTwoOwnersWinsAndTheConflictIsReported() {
    Builder builder = new Builder();
    vm(builder, "10.0.0.1", 2, 100, 200);
    vm(builder, "10.0.0.1", 1, 0, 300);
    AddressBook book = builder.build();

    assertThat(owner(book, "10.0.0.1", 50)).isEqualTo(1);
    assertThat(owner(book, "10.0.0.1", 150)).isEqualTo(2);
    assertThat(owner(book, "10.0.0.1", 250)).isEqualTo(1);
    Addresses address = Flow.address("10.0.0.1");
    assertThat(book.conflicts())
        .containsExactly(new AddressBook.Conflict(address.high(), address.low(), 2, 1, 100, 200));
    assertThat(book.conflicts().getFirst())
        .hasToString("10.0.0.1 belongs to objects 1 and 2 at one time; taken for 2");
  }

  @Test
  void anAgentInsideAVirtualMachineIsNoConflict() {
    Builder builder = new Builder();
    vm(builder, "10.0.0.1", 1, 0, 300);
    add(builder, "10.0.0.1", 9, Kind.OTHER, 100, 400);
    AddressBook book = builder.build();

    assertThat(owner(book, "10.0.0.1", 200)).isEqualTo(1);
    assertThat(owner(book, "10.0.0.1", 350)).isEqualTo(9);
    assertThat(book.conflictCount()).isZero();
    Addresses address = Flow.address("10.0.0.1");
    assertThat(book.kind(book.find(address.high(), address.low(), 200))).isEqualTo(Kind.VM);
    assertThat(book.kind(book.find(address.high(), address.low(), 350))).isEqualTo(Kind.OTHER);
  }

  @Test
  void aRepeatedAssignmentIsNoConflict() {
    Builder builder = new Builder();
    vm(builder, "10.0.0.1", 1, 0, 100);
    vm(builder, "10.0.0.1", 1, 50, 300);
    AddressBook book = builder.build();

    assertThat(owner(book, "10.0.0.1", 299)).isEqualTo(1);
    assertThat(book.conflictCount()).isZero();
  }

  @Test
  void addressesThatNameNoMachineAreLeftOut() {
    Builder builder = new Builder();
    for (String address :
        List.of("0.0.0.0", "127.0.0.1", "224.0.0.5", "255.255.255.255", "::", "::1", "ff02::1")) {
      vm(builder, address, 1, Long.MIN_VALUE, Long.MAX_VALUE);
    }
    vm(builder, "fe80::1", 1, Long.MIN_VALUE, Long.MAX_VALUE);
    assertThat(builder.build().addresses()).isEqualTo(1);
  }

  @Test
  void aPeriodThatEndsBeforeItStartsIsRefused() {
    assertThatThrownBy(() -> vm(new Builder(), "10.0.0.1", 7, 20, 20))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("10.0.0.1 of object 7 ends at 20, not after its start at 20");
  }

  private record Claim(String address, int objectId, Kind kind, long from, long to) {}

  @RepeatedTest(value = 30, name = "seed {currentRepetition}")
  void lookUpsAgreeWithAPlainSearch(RepetitionInfo seed) {
    SplittableRandom random = new SplittableRandom(seed.getCurrentRepetition());
    List<Claim> claims = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      long from = random.nextLong(100);
      claims.add(
          new Claim(
              (random.nextBoolean() ? "10.0.0." : "fd00::") + random.nextInt(40),
              random.nextInt(20),
              Kind.values()[random.nextInt(3)],
              from,
              from + 1 + random.nextLong(60)));
    }
    Builder builder = new Builder();
    claims.forEach(c -> add(builder, c.address, c.objectId, c.kind, c.from, c.to));
    AddressBook book = builder.build();
    for (int i = 0; i < 40; i++) {
      for (String address : List.of("10.0.0." + i, "fd00::" + i)) {
        for (long time = -1; time <= 161; time++) {
          long at = time;
          Integer expected =
              claims.stream()
                  .filter(c -> c.address.equals(address) && c.from <= at && at < c.to)
                  .min(
                      Comparator.comparing(Claim::kind)
                          .thenComparing(Comparator.comparingLong(Claim::from).reversed())
                          .thenComparing(Comparator.comparingInt(Claim::objectId).reversed()))
                  .map(Claim::objectId)
                  .orElse(-1);
          assertThat(owner(book, address, at)).as("%s at %d", address, at).isEqualTo(expected);
        }
      }
    }
  }
}
