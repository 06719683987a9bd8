package io.peerlens.outlier.suggest;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.api.model.ObjectKindRef;
import io.peerlens.api.model.OutlierGroupEdit;
import io.peerlens.api.model.OutlierSuggestionKind;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SuggestionTest {

  private static final int[] WEB = ids(0, 30);
  private static final int[] API = ids(30, 50);
  private static final int[] DB = ids(50, 60);

  @Test
  void aUnionOfSeveralGroupsIsNotSuggested() {
    assertThat(suggested(ids(0, 64)).isMixtureOf(List.of(WEB, API, DB))).isTrue();
    assertThat(suggested(ids(0, 50)).isMixtureOf(List.of(WEB, API, ids(100, 200)))).isTrue();
  }

  @Test
  void oneGroupWithinOrPartsThatAreFewMakeNoMixture() {
    assertThat(suggested(WEB).isMixtureOf(List.of(WEB))).as("itself").isFalse();
    assertThat(suggested(ids(0, 50)).isMixtureOf(List.of(ids(0, 20)))).isFalse();
    assertThat(suggested(ids(0, 60)).isMixtureOf(List.of(ids(0, 15), ids(20, 30)))).isFalse();
    assertThat(suggested(ids(0, 60)).isMixtureOf(List.of(ids(0, 30), ids(1, 31))))
        .as("twice the same objects")
        .isFalse();
    assertThat(suggested(ids(0, 60)).isMixtureOf(List.of(ids(0, 30), ids(40, 240)))).isFalse();
  }

  @Test
  void aSuggestionByTagWinsOverOneByNames() {
    Suggestion moved = suggested(ids(0, 7));
    Suggestion tagged = suggested(ids(0, 6), OutlierSuggestionKind.STARTER);
    assertThat(moved.isSaidBetterBy(tagged)).isTrue();
    assertThat(tagged.isSaidBetterBy(moved)).isFalse();
    assertThat(moved.isSaidBetterBy(suggested(WEB, OutlierSuggestionKind.STARTER))).isFalse();
  }

  private static int[] ids(int from, int to) {
    return IntStream.range(from, to).toArray();
  }

  private static Suggestion suggested(int[] members) {
    return suggested(members, OutlierSuggestionKind.CORRELATED);
  }

  private static Suggestion suggested(int[] members, OutlierSuggestionKind kind) {
    return new Suggestion(
        new UUID(1, 2),
        kind,
        "reason",
        members,
        null,
        new OutlierGroupEdit("name", new ObjectKindRef("VMWARE", "VirtualMachine"), List.of()));
  }
}
