package io.peerlens.dashboard.file;

import io.peerlens.supermetrics.formula.ObjectKind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reader of the questions of panels and views. It finds names of columns that are not there. */
final class QuestionReader {

  private QuestionReader() {}

  /** Reads the members that make up a question, beside the other members of a panel or view. */
  static Question question(Node node) {
    Question question =
        new Question(
            ObjectReader.kinds(node.get("kind")),
            node.object("select", SelectReader::select),
            node.duration("window"),
            node.object("businessHours", TimeReader::businessHours),
            node.list("columns", BundleReader.MOST_COLUMNS, ColumnReader::column),
            node.list("sort", 5, QuestionReader::sort),
            node.integer("limit", 1, 10_000),
            node.object("groupBy", QuestionReader::groupBy),
            node.object("buckets", QuestionReader::buckets),
            node.optionalName("size"),
            node.optionalName("colourBy"));
    checkColumns(node, question);
    return question;
  }

  private static void checkColumns(Node node, Question question) {
    Map<String, Column> columns = new HashMap<>();
    for (Column column : question.columns()) {
      if (column.what() instanceof Column.Computed computed) {
        for (String name : computed.expression().names()) {
          if (!columns.containsKey(name)) {
            node.wrong(
                "computes %s of %s, which is no column before it".formatted(column.name(), name),
                "Put that column before; hidden: true keeps it from being shown.");
          }
        }
      }
      if (columns.put(column.name(), column) != null) {
        node.wrong("has the column " + column.name() + " twice", "Give one another name.");
      }
    }
    if (question.columns().isEmpty()) {
      return; // of a view, which has them
    }
    List<String> referred = new ArrayList<>();
    question.sort().forEach(sort -> referred.add(sort.column()));
    if (question.size() != null) {
      referred.add(question.size());
    }
    if (question.colourBy() != null) {
      referred.add(question.colourBy());
    }
    if (question.buckets() != null) {
      referred.add(question.buckets().of());
    }
    if (question.groupBy() instanceof Question.GroupBy.OfColumn group) {
      referred.add(group.column());
    }
    for (String name : referred) {
      if (!columns.containsKey(name)) {
        node.wrong(
            "names the column " + name + ", which there is not",
            "Columns are " + String.join(", ", columns.keySet()) + ".");
      }
    }
  }

  private static Question.@Nullable Sort sort(Node node) {
    if (!node.isObject()) {
      return null;
    }
    String order = node.word("order", Map.of("asc", "asc", "desc", "desc"));
    Question.Sort sort = new Question.Sort(node.name("column"), "desc".equals(order));
    node.end();
    return sort;
  }

  private static Question.@Nullable GroupBy groupBy(Node node) {
    Question.GroupBy by = null;
    Node ancestor = node.get("ancestor");
    if (ancestor != null) {
      ObjectKind kind = ObjectReader.kind(ancestor);
      by = kind == null ? null : new Question.GroupBy.Ancestor(kind);
    } else if (node.has("column")) {
      by = new Question.GroupBy.OfColumn(node.name("column"));
    } else {
      node.wrong("says nothing to group by", "Give ancestor, a kind, or column.");
    }
    node.end();
    return by;
  }

  private static Question.Buckets buckets(Node node) {
    Question.Buckets.By by = node.word("by", Node.words(Question.Buckets.By.class));
    Integer count = node.integer("count", 1, 100);
    List<Double> bounds = node.list("bounds", 100, Node::number);
    for (int i = 1; i < bounds.size(); i++) {
      if (!(bounds.get(i) > bounds.get(i - 1))) {
        node.wrong("has bounds that do not ascend", "");
        break;
      }
    }
    if (by == Question.Buckets.By.BOUNDS && bounds.isEmpty()) {
      node.wrong("has no bounds", "");
    }
    Question.Buckets buckets =
        new Question.Buckets(
            node.name("of"),
            by == null
                ? bounds.isEmpty() ? Question.Buckets.By.VALUES : Question.Buckets.By.BOUNDS
                : by,
            count == null ? 10 : count,
            bounds);
    node.end();
    return buckets;
  }
}
