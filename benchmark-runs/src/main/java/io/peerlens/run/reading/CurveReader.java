package io.peerlens.run.reading;

import io.peerlens.run.reading.Curve.Point;
import io.peerlens.run.reading.Reading.AtLeast;
import io.peerlens.run.reading.Reading.NotReached;
import io.peerlens.run.reading.Reading.Reached;
import io.peerlens.run.reading.Reading.Unknown;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Way along a curve to its reading; {@link Reading} says how. */
final class CurveReader {

  private CurveReader() {}

  static Reading read(Curve curve, double limit, int nodes) {
    List<Point> points = curve.points();
    if (points.isEmpty()) {
      return new Unknown(curve.latency(), limit);
    }
    int first = 0;
    while (first < points.size() && !within(points.get(first), limit)) {
      first++;
    }
    if (first == points.size()) {
      Point lowest = points.getFirst();
      for (Point point : points) {
        lowest = point.latency().mean() < lowest.latency().mean() ? point : lowest;
      }
      return new NotReached(curve.latency(), curve.load().unit(), limit, lowest);
    }
    return curve.sweep().ordered()
        ? follow(curve, first, limit, nodes)
        : best(curve, points.stream().filter(one -> within(one, limit)).toList(), limit, nodes);
  }

  private static boolean within(Point point, double limit) {
    return point.latency().mean() <= limit;
  }

  private static Point most(List<Point> points) {
    Point most = points.getFirst();
    for (Point point : points) {
      most = point.load().mean() > most.load().mean() ? point : most;
    }
    return most;
  }

  private static Reading follow(Curve curve, int first, double limit, int nodes) {
    List<Point> points = curve.points();
    int last = first;
    while (last + 1 < points.size() && within(points.get(last + 1), limit)) {
      last++;
    }
    List<Point> stretch = points.subList(first, last + 1);
    Point most = most(stretch);
    if (last == points.size() - 1) {
      return atLeast(curve, stretch, most, limit, nodes);
    }
    double read = interpolate(points, last, limit);
    boolean folded = most.load().mean() >= read;
    Point below = folded ? most : points.get(last);
    Point above = points.get(last + 1);
    List<String> remarks = new ArrayList<>();
    if (folded && above.load().mean() < most.load().mean()) {
      remarks.add(falls(curve));
    }
    if (points.subList(last + 2, points.size()).stream().anyMatch(one -> within(one, limit))) {
      remarks.add("The curve comes back below the limit later; the first crossing is read.");
    }
    unsteady(remarks, folded ? List.of(below) : List.of(below, above));
    double load = folded ? most.load().mean() : read;
    return new Reached(
        curve.latency(),
        curve.load().unit(),
        load,
        share(load, nodes),
        limit,
        !folded && points.get(last).latency().mean() < limit,
        below,
        above,
        remarks);
  }

  private static Reading atLeast(
      Curve curve, List<Point> stretch, Point most, double limit, int nodes) {
    Point highest = stretch.getFirst();
    for (Point point : stretch) {
      highest = point.latency().mean() > highest.latency().mean() ? point : highest;
    }
    List<String> remarks = new ArrayList<>();
    if (most.load().mean() > stretch.getLast().load().mean()) {
      remarks.add(falls(curve));
    }
    unsteady(remarks, List.of(most));
    return new AtLeast(
        curve.latency(),
        curve.load().unit(),
        most.load().mean(),
        share(most.load().mean(), nodes),
        limit,
        highest,
        remarks);
  }

  /** Values that are text have nothing between them. */
  private static Reading best(Curve curve, List<Point> within, double limit, int nodes) {
    Point most = most(within);
    List<String> remarks = new ArrayList<>();
    remarks.add("Values of " + Wording.parameter(curve.sweep().parameter()) + " have no order.");
    unsteady(remarks, List.of(most));
    return new Reached(
        curve.latency(),
        curve.load().unit(),
        most.load().mean(),
        share(most.load().mean(), nodes),
        limit,
        false,
        most,
        null,
        remarks);
  }

  /** The load at the limit, between a point and the next; their neighbours shape the curve. */
  private static double interpolate(List<Point> points, int below, double limit) {
    int from = below;
    int to = below + 1;
    if (from > 0 && ascends(points, from - 1)) {
      from--;
    }
    if (to < points.size() - 1 && ascends(points, to)) {
      to++;
    }
    List<Point> near = points.subList(from, to + 1);
    return Monotone.at(
        near.stream().mapToDouble(point -> point.latency().mean()).toArray(),
        near.stream().mapToDouble(point -> point.load().mean()).toArray(),
        limit);
  }

  private static boolean ascends(List<Point> points, int i) {
    return points.get(i).latency().mean() < points.get(i + 1).latency().mean();
  }

  private static String falls(Curve curve) {
    return "It falls as %s rises further.".formatted(Wording.parameter(curve.sweep().parameter()));
  }

  private static void unsteady(List<String> remarks, List<Point> points) {
    long not =
        points.stream().filter(point -> point.steady() == SteadyState.Judgement.NOT_STEADY).count();
    if (not > 0) {
      remarks.add(
          points.size() == 1
              ? "That run was not steady."
              : not == 1 ? "One of the two was not steady." : "Both were not steady.");
    }
  }

  private static @Nullable Double share(double load, int nodes) {
    return nodes == 0 ? null : Double.valueOf(load / nodes);
  }
}
