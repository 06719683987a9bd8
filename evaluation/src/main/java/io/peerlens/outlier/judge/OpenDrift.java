package io.peerlens.outlier.judge;

import io.peerlens.alert.Finding;
import io.peerlens.alert.Member;
import io.peerlens.api.model.OutlierEventProperty;
import io.peerlens.outlier.group.OutlierGroup;
import io.peerlens.outliers.Drift;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * An event of configuration that is not closed, as it is stored.
 *
 * @param since start of the first bucket in which the member differed
 * @param properties in which it differs, by key
 */
record OpenDrift(
    UUID id,
    int objectId,
    Instant openedAt,
    Instant since,
    List<OutlierEventProperty> properties,
    Finding.Explained explained) {

  /** So many properties are parts of an alert; its words say how many there are. */
  private static final int MOST_PARTS = 20;

  /** How a property of an alert was compared: with another value than that of the peers. */
  private static final String NOT_THAT = "ne";

  /** What it adds to an alert: the property is the instance, so that each is a part of its own. */
  Finding finding(OutlierGroup group) {
    List<Member> parts = new ArrayList<>();
    for (OutlierEventProperty one :
        properties.subList(0, Math.min(MOST_PARTS, properties.size()))) {
      parts.add(
          new Member(
              group.id(),
              group.name(),
              objectId,
              one.getKey(),
              one.getKey(),
              null,
              group.severity(),
              Double.NaN,
              one.getValue(),
              NOT_THAT,
              Double.NaN,
              Double.NaN,
              one.getSince(),
              1,
              1,
              false));
    }
    return new Finding(group.severity(), since, parts, explained);
  }

  /** The same for the rule that goes on with it. */
  List<Drift.Difference> differences(Duration width) {
    return properties.stream()
        .map(
            one ->
                new Drift.Difference(
                    objectId,
                    one.getKey(),
                    one.getValue(),
                    one.getCommon(),
                    one.getAgree(),
                    one.getJudged(),
                    one.getSince().plus(width).toEpochMilli()))
        .toList();
  }
}
