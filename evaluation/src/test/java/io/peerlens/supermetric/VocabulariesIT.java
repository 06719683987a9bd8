package io.peerlens.supermetric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.peerlens.support.SampleData;
import io.peerlens.vocabulary.Vocabularies;
import io.peerlens.vocabulary.VocabularyQueries;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class VocabulariesIT {

  private static final Duration AGE = Duration.ofMinutes(2);

  private Instant now = Instant.parse("2026-11-21T08:00:00Z");

  @Test
  void anEmptyOrVeryOldVocabularyIsNotReturned() {
    try (SampleData data = SampleData.create()) {
      Vocabularies vocabularies =
          new Vocabularies(new VocabularyQueries(data.jdbc()), () -> now, AGE);
      assertThat(vocabularies.current().adapterKinds()).isEmpty();
      kind(data, "HostSystem");
      assertThat(vocabularies.current().objectKinds("VMWARE")).containsExactly("HostSystem");
      kind(data, "VirtualMachine");
      assertThat(vocabularies.current().objectKinds("VMWARE")).containsExactly("HostSystem");
      now = now.plus(AGE).plusSeconds(1);
      // the first who asks is given the old one and has the new one read
      assertThat(vocabularies.current().objectKinds("VMWARE")).contains("HostSystem");
      await()
          .untilAsserted(() -> assertThat(vocabularies.current().objectKinds("VMWARE")).hasSize(2));
      kind(data, "Datastore");
      now = now.plus(AGE.multipliedBy(5)).plusSeconds(1);
      assertThat(vocabularies.current().objectKinds("VMWARE")).hasSize(3);
    }
  }

  @Test
  void theFirstObjectOfAKindIsKnownASecondLater() {
    try (SampleData data = SampleData.create()) {
      kind(data, "HostSystem");
      Vocabularies vocabularies =
          new Vocabularies(new VocabularyQueries(data.jdbc()), () -> now, AGE);
      assertThat(vocabularies.current().objectKinds("VMWARE")).containsExactly("HostSystem");
      kind(data, "VirtualMachine");
      now = now.plusMillis(1100);
      assertThat(vocabularies.current().objectKinds("VMWARE"))
          .containsExactlyInAnyOrder("HostSystem", "VirtualMachine");
      assertThat(vocabularies.current().keys("VMWARE", "VirtualMachine"))
          .containsExactly("cpu|usage_average");
    }
  }

  private static void kind(SampleData data, String kind) {
    data.object("VMWARE", kind, "one " + kind);
    data.group("VMWARE", kind, "cpu", List.of("usage_average"));
  }
}
