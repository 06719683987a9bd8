package io.peerlens.learning;

import io.peerlens.supermetrics.formula.ObjectKind;
import java.util.List;

/**
 * A metric group of a kind.
 *
 * @param metrics name of each position
 */
record MetricGroup(int id, ObjectKind kind, String name, List<String> metrics) {}
