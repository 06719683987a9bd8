package io.peerlens.outlier.preview;

import static org.assertj.core.api.Assertions.assertThat;

import io.peerlens.api.model.OutlierTraitKind;
import io.peerlens.outlier.explain.AttributeQueries.Attribute;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PartingTest {

  private static final double[] TWO = {10, 11, 12, 10, 70, 71, 69, Double.NaN};
  private static final int[] IDS = {1, 2, 3, 4, 5, 6, 7, 8};

  @Test
  void twoBandsFarApartAreASplit() {
    boolean[] upper = Parting.bands(TWO, 5);
    assertThat(upper).containsExactly(false, false, false, false, true, true, true, false);
  }

  @Test
  void oneBandOneOutlierAndTinyGapsAreNoSplit() {
    assertThat(Parting.bands(new double[] {10, 11, 12, 13, 14, 15, 16, 17}, 5)).isNull();
    assertThat(Parting.bands(new double[] {10, 11, 12, 10, 11, 12, 10, 90}, 5))
        .as("one is an outlier, not a band")
        .isNull();
    assertThat(Parting.bands(new double[] {1, 1, 1, 1, 2, 2, 2, 2}, 5))
        .as("less than matters")
        .isNull();
    assertThat(Parting.bands(new double[0], 5)).isNull();
  }

  private static Map<Integer, String> values(String... values) {
    Map<Integer, String> map = new TreeMap<>();
    for (int i = 0; i < values.length; i++) {
      if (!values[i].isEmpty()) {
        map.put(i + 1, values[i]);
      }
    }
    return map;
  }

  @Test
  void theSeparatingAttributeHasFewValuesAndIsNoIdentifier() {
    boolean[] upper = {false, false, false, false, true, true, true, true};
    Map<Attribute, Map<Integer, String>> known = new LinkedHashMap<>();
    known.put(
        new Attribute(OutlierTraitKind.PROPERTY, "name"),
        values("a", "b", "c", "d", "e", "f", "g", "h"));
    known.put(
        new Attribute(OutlierTraitKind.PROPERTY, "rack"),
        values("1", "2", "1", "2", "1", "2", "1", "2"));
    known.put(
        new Attribute(OutlierTraitKind.PROPERTY, "disk"),
        values("x", "y", "x", "y", "z", "z", "z", "z"));
    assertThat(Parting.by(upper, IDS, known))
        .isEqualTo(new Attribute(OutlierTraitKind.PROPERTY, "disk"));
    known.put(
        new Attribute(OutlierTraitKind.TAG, "role"), values("", "", "", "", "p", "p", "p", "p"));
    assertThat(Parting.by(upper, IDS, known))
        .as("a tag that only one band has")
        .isEqualTo(new Attribute(OutlierTraitKind.TAG, "role"));
    known.keySet().removeIf(one -> !one.key().equals("rack") && !one.key().equals("name"));
    assertThat(Parting.by(upper, IDS, known)).isNull();
  }
}
