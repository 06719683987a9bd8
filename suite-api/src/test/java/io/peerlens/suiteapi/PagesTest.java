package io.peerlens.suiteapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;

/** Pages of lists, as clients ask for them. */
class PagesTest {

  private static Call call(String query) {
    return new Call(
        new MockHttpServletRequest(), "/api/resources", Map.of(), new Query(query), null, null);
  }

  @Test
  void aPagePastTheEndIsEmpty() {
    List<Integer> all = List.of(1, 2, 3, 4, 5);
    assertThat(call("page=1&pageSize=2").page().of(all)).containsExactly(3, 4);
    assertThat(call("page=2&pageSize=2").page().of(all)).containsExactly(5);
    assertThat(call("page=3&pageSize=2").page().of(all)).isEmpty();
    assertThat(call("page=2147483647&pageSize=10000").page().of(all)).isEmpty();
  }

  @Test
  void aPageHasAThousandElementsUnlessItIsAskedForOthersUpToTenThousand() {
    assertThat(call("").page().size()).isEqualTo(1000);
    assertThat(call("pageSize=10000").page().size()).isEqualTo(10_000);
    assertThat(call("pageSize=50000").page().size()).isEqualTo(10_000);
    assertThat(Call.pageInfo(call("page=4&pageSize=7").page(), 30).toString())
        .isEqualTo("{totalCount=30, page=4, pageSize=7}");
    assertThatThrownBy(() -> call("page=-1").page()).isInstanceOf(SuiteException.class);
    assertThatThrownBy(() -> call("pageSize=0").page()).isInstanceOf(SuiteException.class);
    assertThatThrownBy(() -> call("page=two").page()).isInstanceOf(SuiteException.class);
  }

  @Test
  void linksLeadToTheNeighboursUnlessTheyAreNotWanted() {
    Call first = call("pageSize=2");
    assertThat(Objects.requireNonNull(first.links(first.page(), 5)).toString())
        .contains("page=1&pageSize=2, rel=NEXT", "page=2&pageSize=2, rel=END")
        .doesNotContain("PREVIOUS");
    Call last = call("page=2&pageSize=2");
    assertThat(Objects.requireNonNull(last.links(last.page(), 5)).toString())
        .contains("page=1&pageSize=2, rel=PREVIOUS")
        .doesNotContain("NEXT");
    Call none = call("_no_links=true");
    assertThat(none.links(none.page(), 5)).isNull();
  }

  @Test
  void parametersMayBeRepeatedEncodedAndInBrackets() {
    Query query = new Query("statKey=cpu|usage&statKey=mem%7Cusage+x&resourceId[]=a&flag");
    assertThat(query.all("statKey")).containsExactly("cpu|usage", "mem|usage x");
    assertThat(query.all("resourceId")).containsExactly("a");
    assertThat(query.all("flag")).containsExactly("");
    assertThat(query.all("other")).isEmpty();
    assertThatThrownBy(() -> new Query("a=%zz"))
        .isInstanceOf(SuiteException.class)
        .hasMessageContaining("%");
  }
}
