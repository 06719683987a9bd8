package io.peerlens.notify.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.peerlens.alerttemplates.Message;
import io.peerlens.alerttemplates.Message.SyntaxType;
import io.peerlens.alerttemplates.Message.VarBind;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.snmp4j.PDU;
import org.snmp4j.smi.OctetString;
import org.snmp4j.smi.VariableBinding;

class TrapPduTest {

  private static final String BASE = "1.3.6.1.4.1.32473.1.1.";

  private static PDU fill(List<VarBind> binds, int room) {
    PDU pdu = new PDU();
    pdu.setType(PDU.TRAP);
    TrapPdu.fill(pdu, new Message.Trap("1.3.6.1.4.1.32473.1.0.1", binds), 77, room);
    return pdu;
  }

  private static VarBind text(int number, int length) {
    return new VarBind(BASE + number + ".0", SyntaxType.OCTET_STRING, "x".repeat(length));
  }

  private static String value(PDU pdu, int number) {
    for (VariableBinding bind : pdu.getVariableBindings()) {
      if (bind.getOid().toDottedString().equals(BASE + number + ".0")) {
        return new String(((OctetString) bind.getVariable()).getValue(), StandardCharsets.UTF_8);
      }
    }
    throw new AssertionError("no variable " + number);
  }

  @Test
  void symptomsAreCutFirstThenInfoThenThePageThenTheLongest() {
    List<VarBind> binds =
        List.of(text(3, 200), text(9, 250), text(13, 250), text(14, 250), text(16, 255));
    PDU all = fill(binds, 5000);
    int whole = all.getBERLength();
    PDU one = fill(binds, whole - 100);
    assertThat(value(one, 14)).hasSizeLessThan(155).endsWith("...");
    assertThat(value(one, 9)).hasSize(250);
    PDU two = fill(binds, whole - 300);
    assertThat(value(two, 14)).hasSize(64);
    assertThat(value(two, 9)).hasSizeBetween(64, 140);
    assertThat(value(two, 13)).hasSize(250);
    PDU four = fill(binds, whole - 700);
    assertThat(value(four, 13)).hasSize(64);
    assertThat(value(four, 16)).hasSizeLessThan(255).endsWith("...");
    assertThat(four.size()).isEqualTo(7);
  }

  @Test
  void everyNotificationFitsIntoOnePacketInOrder() {
    RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(42);
    for (int round = 0; round < 200; round++) {
      List<VarBind> binds = new ArrayList<>();
      for (int i = 1; i <= 22; i++) {
        binds.add(
            new VarBind(
                BASE + i + ".0",
                SyntaxType.OCTET_STRING,
                List.of("a", "ä", "😀", "\u0000")
                    .get(random.nextInt(4))
                    .repeat(random.nextInt(300))));
      }
      PDU pdu = fill(binds, 1252);
      assertThat(pdu.getBERLength()).isLessThanOrEqualTo(1252);
      assertThat(pdu.size()).isEqualTo(24);
      for (int i = 1; i <= 22; i++) {
        assertThat(value(pdu, i)).doesNotContain("\ufffd");
      }
    }
  }

  @Test
  void tooManyVariablesAreRefused() {
    List<VarBind> binds = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      binds.add(text(i, 10));
    }
    assertThatThrownBy(() -> fill(binds, 1252)).hasMessageContaining("too many variables");
  }

  @ParameterizedTest
  @CsvSource({
    "INTEGER, -5, Integer32, -5",
    "GAUGE, 4294967295, Gauge, 4294967295",
    "COUNTER64, 18446744073709551615, Counter64, 18446744073709551615",
    "TIME_TICKS, 100, TimeTicks, 0:00:01.00",
    "OBJECT_IDENTIFIER, 1.3.6.1, OBJECT IDENTIFIER, 1.3.6.1",
    "IP_ADDRESS, 192.0.2.7, IpAddress, 192.0.2.7"
  })
  void valuesHaveTheirType(SyntaxType type, String value, String syntax, String shown) {
    PDU pdu = fill(List.of(new VarBind(BASE + "1.0", type, value)), 1000);
    VariableBinding bind = pdu.get(2);
    assertThat(bind.getVariable().toString()).isEqualTo(shown);
    assertThat(bind.getVariable().getSyntaxString()).startsWith(syntax.substring(0, 5));
  }

  @ParameterizedTest
  @CsvSource({
    "INTEGER, 3.5",
    "INTEGER, 2147483648",
    "GAUGE, -1",
    "GAUGE, 4294967296",
    "COUNTER64, x",
    "TIME_TICKS, ''",
    "OBJECT_IDENTIFIER, abc",
    "OBJECT_IDENTIFIER, 9.9",
    "IP_ADDRESS, host",
    "IP_ADDRESS, 1.2.3.4.5"
  })
  void aValueOfTheWrongTypeIsRefused(SyntaxType type, String value) {
    assertThatThrownBy(() -> fill(List.of(new VarBind(BASE + "1.0", type, value)), 1000))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
