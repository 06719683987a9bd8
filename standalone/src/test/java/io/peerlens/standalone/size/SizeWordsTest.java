package io.peerlens.standalone.size;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SizeWordsTest {

  private static SizeWords words(String... words) {
    SizeWords size = new SizeWords();
    for (String word : words) {
      String[] parts = word.split("=", 2);
      assertThat(size.take(parts[0], () -> parts[1])).isTrue();
    }
    return size;
  }

  @Test
  void whatIsNotSaidIsAsShipped() {
    assertThat(words("--objects=1000", "--metrics=100k", "--interval=5m").estate())
        .isEqualTo(new Estate(1_000, 100_000, 300, 0, 6, Kept.SHIPPED));
  }

  @Test
  void everythingCanBeSaid() {
    assertThat(
            words(
                    "--objects=1M",
                    "--metrics=200M",
                    "--interval=300",
                    "--flows=10M",
                    "--metrics-per-set=25",
                    "--retention=raw=36h,5m=0d,1h=395d,flows=2d",
                    "--retention=flows-5m=7d,flows-1h=30d,flows-1d=365d")
                .estate())
        .isEqualTo(
            new Estate(
                1_000_000, 200_000_000, 300, 10_000_000, 25, new Kept(1.5, 0, 395, 2, 7, 30, 365)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --objects=many          | --objects is 'many'; it must be a whole number from 1 to 100,000,000
          --objects=0             | --objects is '0'; it must be a whole number from 1
          --objects=-1            | --objects is '-1'
          --metrics=999999999999M | --metrics is '999999999999M'; it must be a whole number from 1 to 100,000,000,000
          --flows=1.5M            | --flows is '1.5M'; it must be a whole number from 0
          --metrics-per-set=5000  | --metrics-per-set is '5000'; it must be a whole number from 1 to 4,096
          --interval=0s           | --interval is '0s'; it must be from 1s to 24h
          --interval=5d           | --interval is '5d'; it must be from 1s to 24h, such as 20s or 5m
          --retention=raw         | --retention has 'raw'; give raw=36h or raw=14d, at most 36500d
          --retention=raw=2w      | --retention has 'raw=2w'; give raw=36h or raw=14d
          --retention=1h=99999d   | --retention has '1h=99999d'
          --retention=1d=2d       | --retention names '1d'; it knows raw, 5m, 1h, flows, flows-5m
          --retention=raw=1d,     | --retention names ''; it knows raw
          """)
  void wrongValuesAreNamed(String word, String message) {
    assertThatThrownBy(() -> words(word))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  void whatIsNeededIsNamed() {
    assertThatThrownBy(() -> words("--objects=5", "--metrics=50").estate())
        .hasMessageContaining("size needs --objects, --metrics (of all objects together) and");
    assertThatThrownBy(() -> words("--objects=5", "--metrics=4", "--interval=20").estate())
        .hasMessageContaining("--metrics is 4 for 5 objects; it counts the metrics of all objects");
    assertThat(new SizeWords().take("--data", () -> "x")).isFalse();
  }
}
