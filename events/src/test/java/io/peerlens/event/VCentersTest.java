package io.peerlens.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class VCentersTest {

  private final VCenters vcenters = new VCenters(List.of("vc.internal=vc2.example"), "");

  @Test
  void aSourceMayBeAnAddressAnAuthorityOrAHost() {
    assertThat(vcenters.named("https://VC1.example:443/sdk", null).name()).isEqualTo("vc1.example");
    assertThat(vcenters.named("https://root@VC1.example:443/sdk", null).candidates())
        .containsSubsequence("VC1.example:443", "VC1.example");
    assertThat(vcenters.named("127.0.0.1:18990", null).name()).isEqualTo("127.0.0.1:18990");
    assertThat(vcenters.named("127.0.0.1:18990", null).candidates().getFirst())
        .isEqualTo("127.0.0.1:18990");
  }

  @Test
  void theSettingNamesWhatHasTwoNames() {
    assertThat(vcenters.named("https://vc.internal/sdk", null))
        .isEqualTo(new VCenters.Named("vc2.example", List.of("vc2.example")));
    assertThatThrownBy(() -> new VCenters(List.of("vc.internal"), ""))
        .hasMessageContaining("SOURCE=VCENTER");
  }

  @Test
  void anEventWithoutASourceIsOfTheDefaultVcenterOrTheOnlyOne() {
    assertThat(vcenters.named("", "vc1.example").candidates()).containsExactly("vc1.example");
    assertThat(vcenters.named("", null).candidates()).isEmpty();
    assertThat(new VCenters(List.of(), "VC9").named("", "vc1.example").candidates())
        .containsExactly("VC9");
  }
}
