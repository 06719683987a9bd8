package io.peerlens.words;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/** Pages make the same words of the same keys: PageModulesIT. */
class MetricWordsTest {

  @ParameterizedTest
  @CsvFileSource(resources = "/metric-words.csv", delimiter = ';')
  void aKeyReadsAsWords(String key, String words) {
    assertThat(MetricWords.of(key)).isEqualTo(words);
  }

  @Test
  void withinASentenceOnlyAbbreviationsHaveCapitals() {
    assertThat(MetricWords.within("Memory usage")).isEqualTo("memory usage");
    assertThat(MetricWords.within("CPU usage")).isEqualTo("CPU usage");
    assertThat(MetricWords.within("vMotions")).isEqualTo("vMotions");
  }

  @Test
  void aPropertyKeepsTheNameThatItHas() {
    assertThat(MetricWords.ofProperty("summary|config|numCpu")).isEqualTo("vCPUs");
    assertThat(MetricWords.ofProperty("config|hardware|num_Cpu")).isEqualTo("vCPUs");
    assertThat(MetricWords.ofProperty("net:4000|ip_address")).isEqualTo("IP address, 4000");
    assertThat(MetricWords.ofProperty("costCentre")).isEqualTo("Cost centre");
  }
}
