package io.peerlens.supermetrics.formula;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The language in rules and examples, in one place: docs/formula-language.md is made of it, and
 * every example is a test.
 */
public final class LanguageReference {

  /**
   * A rule of the language.
   *
   * @param title of its section
   * @param rules Markdown, a paragraph or list each
   * @param examples what the rules mean
   */
  public record Section(String title, List<String> rules, List<Example> examples) {
    public Section {
      rules = List.copyOf(rules);
      examples = List.copyOf(examples);
    }
  }

  /**
   * A formula, and what it yields for an object of the sample world.
   *
   * @param object name of the object
   * @param value NaN = no value
   * @param note why, or what it shows; "" = it speaks for itself
   */
  public record Example(String formula, String object, double value, String note) {}

  /**
   * An object of the world that the examples are about; all are of adapter kind VMWARE.
   *
   * @param name of the object
   * @param kind of the object
   * @param children names of the objects below it
   * @param values key, value, key, value; a number is a metric, a text a property. A key with a
   *     tilde before it has a value that is not fresh.
   */
  public record Thing(String name, String kind, List<String> children, List<Object> values) {
    public Thing {
      children = List.copyOf(children);
      values = List.copyOf(values);
    }

    private static Thing of(String name, String kind, List<String> children, Object... values) {
      return new Thing(name, kind, children, Arrays.asList(values));
    }
  }

  private static final String VMS = "${adaptertype=VMWARE, objecttype=VirtualMachine, ";
  private static final String HOSTS = "${adaptertype=VMWARE, objecttype=HostSystem, ";

  private LanguageReference() {}

  /** The world that the examples are about, from the top to the bottom. */
  public static List<Thing> world() {
    return List.of(
        Thing.of(
            "prod",
            "ClusterComputeResource",
            List.of("esx1", "esx2"),
            "summary|number_running_vms",
            2),
        Thing.of("empty", "ClusterComputeResource", List.of(), "summary|number_running_vms", 0),
        Thing.of(
            "esx1",
            "HostSystem",
            List.of("web1", "web2"),
            "cpu|usage_average",
            60,
            "hardware|cpuInfo|numCpuCores",
            "32",
            "runtime|maintenanceState",
            "notInMaintenance"),
        Thing.of(
            "esx2",
            "HostSystem",
            List.of("db1"),
            "cpu|usage_average",
            20,
            "hardware|cpuInfo|numCpuCores",
            "16",
            "runtime|maintenanceState",
            "inMaintenance"),
        Thing.of(
            "web1",
            "VirtualMachine",
            List.of("vsan"),
            "cpu|usage_average",
            90,
            "mem|usage_average",
            40,
            "summary|guest|fullName",
            "Microsoft Windows Server 2022",
            "net:4000|usage_average",
            3,
            "net:4001|usage_average",
            5,
            "net:Aggregate of all instances|usage_average",
            8,
            "sys|poweredOn",
            1),
        Thing.of(
            "web2",
            "VirtualMachine",
            List.of("vsan"),
            "cpu|usage_average",
            30,
            "~mem|usage_average",
            80,
            "summary|guest|fullName",
            "Ubuntu Linux",
            "net:Aggregate of all instances|usage_average",
            1,
            "sys|poweredOn",
            1),
        Thing.of(
            "db1",
            "VirtualMachine",
            List.of("vsan"),
            "mem|usage_average",
            10,
            "summary|guest|fullName",
            "Microsoft Windows Server 2019",
            "sys|poweredOn",
            0),
        Thing.of(
            "vsan", "Datastore", List.of(), "capacity|used_space", 700, "summary|type", "vsan"));
  }

  private static Example example(String formula, String object, double value, String note) {
    return new Example(formula, object, value, note);
  }

  private static Example none(String formula, String object, String note) {
    return new Example(formula, object, Double.NaN, note);
  }

  /** Everything there is to know, in the order of reading. */
  public static List<Section> sections() {
    List<Section> sections = new ArrayList<>();
    sections.add(numbersAndOperators());
    sections.add(conditions());
    sections.add(loopingFunctions());
    sections.add(singleFunctions());
    sections.add(ownValues());
    sections.add(instances());
    sections.add(relatedObjects());
    sections.add(namedObjects());
    sections.add(textWhere());
    sections.add(expressionWhere());
    sections.add(aliases());
    sections.add(sets());
    sections.add(missing());
    sections.add(superMetrics());
    sections.add(spellings());
    return sections;
  }

  private static Section numbersAndOperators() {
    return new Section(
        "Numbers and operators",
        List.of(
            "Numbers are decimal: `60`, `.5`, `1e6`. They take no unit and no percent sign.",
            """
            Operators, those that bind strongest first; all group from the left:

            | operators | meaning |
            |---|---|
            | `as`, `.isFresh()` | see Aliases and Conditions |
            | `!` `-` `+` before a value | not, minus, nothing |
            | `*` `/` `%` | `%` is the remainder, with the sign of the dividend |
            | `+` `-` | |
            | `<` `<=` `>` `>=` | 1 if it holds, else 0 |
            | `==` `!=` | 1 if it holds, else 0 |
            | `&&` | 1 if both are true, else 0 |
            | `\\|\\|` | 1 if one is true, else 0 |
            | `? :` | groups from the right |""",
            "Every number but 0 is true. What has no result, such as a division by zero, is no"
                + " value; so is a result too large for a number.",
            "There are no comments, and no words for operators: write `&&`, `||`, `!`."),
        List.of(
            example("1 + 2 * 3", "web1", 7, ""),
            example("7 % 4 / 3", "web1", 1, "from the left: 3 / 3"),
            example("-7 % 4", "web1", -3, ""),
            example("1 + 1 > 1", "web1", 1, "`+` before `>`"),
            example("2 > 1 == 1", "web1", 1, "`>` before `==`"),
            example("0 && 0 || 1", "web1", 1, "`&&` before `||`"),
            example("!0.5", "web1", 0, "0.5 is true"),
            none("1 / 0", "web1", ""),
            none("sqrt(-4)", "web1", "")));
  }

  private static Section conditions() {
    return new Section(
        "Choices",
        List.of(
            "`condition ? a : b` is a if the condition is true and b if it is 0. Only the chosen"
                + " one matters, so `x != 0 ? 1 / x : 0` never fails."),
        List.of(
            example("-0.7 ? 10 : 20", "web1", 10, ""),
            example("!1 ? 2 ? 3 : 4 : 5", "web1", 5, "choices within choices"),
            example("2 + 2 / 2 - 3 ? 4 + 5 / 6 : 7 + 8", "web1", 15, ""),
            example("${this, metric=cpu|usage_average} > 80 ? 2 : 1", "web1", 2, ""),
            example("1 ? 5 : 1 / 0", "web1", 5, "the other branch does not matter"),
            none("${this, metric=cpu|usage_average} > 80 ? 2 : 1", "db1", "no CPU value"),
            example("avg(2 + 2 > 3 ? [10, 15, 20] : [20, 25, 30])", "web1", 15, "of arrays")));
  }

  private static Section loopingFunctions() {
    List<Example> examples = new ArrayList<>(examplesOf(true));
    examples.add(
        example(
            "sum(${this, metric=cpu|usage_average}) / 2",
            "web1",
            45,
            "of one value: the value itself"));
    return new Section(
        "Functions of many values",
        List.of(
            "They make one number of many. The argument is an entry, an array `[a, b, c]`, or a"
                + " calculation with one of these. Arrays may hold sets and other arrays. Missing"
                + " values are passed over.",
            signatures(true)),
        examples);
  }

  private static Section singleFunctions() {
    return new Section(
        "Functions of one value",
        List.of(
            "They take numbers, not sets. Where the argument is missing, so is the result.",
            signatures(false)),
        examplesOf(false));
  }

  private static String signatures(boolean looping) {
    StringBuilder table = new StringBuilder("| function | meaning |\n|---|---|");
    for (Function function : Function.values()) {
      if (function.isLooping() == looping) {
        table.append("\n| `").append(function.signature()).append("` | ");
        table.append(function.summary()).append(" |");
      }
    }
    return table.toString();
  }

  private static List<Example> examplesOf(boolean looping) {
    return Arrays.stream(Function.values())
        .filter(function -> function.isLooping() == looping)
        .flatMap(function -> function.examples().stream())
        .map(e -> example(e.formula(), "web1", e.value(), ""))
        .toList();
  }

  private static Section ownValues() {
    return new Section(
        "The object itself: `${this, metric=key}`",
        List.of(
            "The last value of a metric or property of the object that the formula is computed"
                + " for. The key is taken letter by letter up to the comma or brace, blanks around"
                + " it left out. A key that nothing has is tried once more in any letter case.",
            "A property counts as a number if its text is one, without blanks or unit."
                + " `true` and `false` are texts.",
            "A last value counts until it is older than `peerlens.frames.metric-age` (1 day);"
                + " properties have no such limit.",
            "`defval=n` takes n where there is no value. `depth` means nothing here."),
        List.of(
            example("${this, metric=cpu|usage_average} / 2", "web1", 45, ""),
            example("${this, metric=hardware|cpuInfo|numCpuCores} * 2", "esx1", 64, "a property"),
            none("${this, metric=summary|guest|fullName}", "web1", "a text is no number"),
            none("${this, metric=cpu|usage_average}", "db1", "it has none"),
            example("${this, metric=cpu|usage_average, defval=5}", "db1", 5, ""),
            example("max([${this, metric=cpu|usage_average}, 0])", "db1", 0, "0 if missing"),
            example("count(${this, metric=summary|guest|fullName})", "db1", 1, "texts are counted"),
            example("count(${this, metric=cpu|usage_average})", "db1", 0, "")));
  }

  private static Section instances() {
    return new Section(
        "Instances: `attribute=key`",
        List.of(
            "`metric=` is one exact key, instance and all: `net:4000|usage_average`."
                + " `attribute=` is the key and all its instances, in any group of the key, and"
                + " needs a function of many values around it. Where the attribute names an"
                + " instance, only that one is meant.",
            "The instance `Aggregate of all instances` is left out of an object that has others."),
        List.of(
            example("sum(${this, attribute=net|usage_average})", "web1", 8, "3 + 5, not 8 twice"),
            example("count(${this, attribute=net|usage_average})", "web1", 2, ""),
            example("sum(${this, attribute=net|usage_average})", "web2", 1, "the aggregate alone"),
            example("sum(${this, attribute=net:4001|usage_average})", "web1", 5, ""),
            example("${this, metric=net:4000|usage_average}", "web1", 3, ""),
            example("${this, metric=net:Aggregate of all instances|usage_average}", "web1", 8, ""),
            none("${this, metric=net|usage_average}", "web1", "the bare key has no value"),
            example(
                "count(${this, attribute=net|usage_average, where=($value > 4)})", "web1", 1, "")));
  }

  private static Section relatedObjects() {
    return new Section(
        "Other objects: `${adaptertype=A, objecttype=T, metric=key, depth=N}`",
        List.of(
            "One value of each related object of a type. `depth=N` looks N levels down, levels 1"
                + " to N together; `depth=-N` looks up. The default is 1; a larger number than"
                + " needed does no harm. Each object counts once, however many ways lead to it."
                + " `objecttype=*` is every type of the adapter that has the key.",
            "From cluster to host is 1, to VM 2, to datastore 3, since a datastore is below the"
                + " VM; from VM to host is -1, to cluster -2.",
            "Without a function around it there is a value only where exactly one object has"
                + " one, as with the host of a VM."),
        List.of(
            example("avg(" + VMS + "metric=cpu|usage_average, depth=2})", "prod", 60, ""),
            none("avg(" + VMS + "metric=cpu|usage_average})", "prod", "no VMs 1 level down"),
            example(
                "count(" + VMS + "metric=cpu|usage_average, depth=2})", "prod", 2, "db1 has none"),
            example("count(" + VMS + "metric=sys|poweredOn, depth=9})", "empty", 0, ""),
            none("sum(" + VMS + "metric=sys|poweredOn, depth=9})", "empty", "a sum of nothing"),
            example(
                "sum(" + HOSTS + "metric=hardware|cpuInfo|numCpuCores, depth=1})", "prod", 48, ""),
            example("max(" + HOSTS + "metric=cpu|usage_average, depth=-1})", "db1", 20, "its host"),
            example(HOSTS + "metric=cpu|usage_average, depth=-1} / 2", "db1", 10, "one host"),
            none(HOSTS + "metric=cpu|usage_average, depth=1}", "prod", "two hosts"),
            example(
                "sum(${adaptertype=VMWARE, objecttype=Datastore, metric=capacity|used_space,"
                    + " depth=3})",
                "prod",
                700,
                "once, though three VMs use it"),
            example(
                "count(" + VMS + "metric=sys|poweredOn, depth=-1})",
                "vsan",
                3,
                "VMs of a datastore"),
            example("max(" + VMS + "attribute=net|usage_average, depth=2})", "prod", 5, ""),
            example(
                "count(${adaptertype=VMWARE, objecttype=*, metric=cpu|usage_average, depth=2})",
                "prod",
                4,
                "hosts and VMs")));
  }

  private static Section namedObjects() {
    return new Section(
        "One object by name: `objectname=name`",
        List.of(
            "A value of one object wherever it is. `identifiers={name=value, ...}` tells objects"
                + " of one name apart; if several remain there is no value."),
        List.of(
            example(HOSTS + "objectname=esx1, metric=cpu|usage_average} + 1", "web2", 61, ""),
            none(HOSTS + "objectname=esx9, metric=cpu|usage_average}", "web2", "no such host"),
            example(
                "sum(" + VMS + "objectname=web1, attribute=net|usage_average})", "empty", 8, "")));
  }

  private static Section textWhere() {
    return new Section(
        "Conditions in quotes: `where=\"...\"`",
        List.of(
            "Keeps a value only if the condition holds for the same object. One comparison:"
                + " `[key] operator value`, without a key for the value itself. Operators are"
                + " `== != < <= > >=` with a number, and `equals`, `contains`, `startsWith`,"
                + " `endsWith` with a text that has no quotes of its own; `!equals` and so on is"
                + " the opposite. Letter case counts.",
            "`&&` and `||` are errors here, because vROps accepts them and then finds nothing."
                + " With `peerlens.super-metrics.strict-where=false` they are part of the text."),
        List.of(
            example(
                "count(" + VMS + "metric=cpu|usage_average, depth=2, where=\"> 50\"})",
                "prod",
                1,
                ""),
            example(
                "sum(" + VMS + "metric=mem|usage_average, depth=2, where=\"sys|poweredOn == 1\"})",
                "prod",
                120,
                "another key"),
            example(
                "count("
                    + VMS
                    + "metric=summary|guest|fullName, depth=2, where=\"startsWith Microsoft Windows\"})",
                "prod",
                2,
                ""),
            example(
                "count("
                    + VMS
                    + "metric=sys|poweredOn, depth=2, where=\"summary|guest|fullName !contains Linux\"})",
                "prod",
                2,
                ""),
            example(
                "count("
                    + HOSTS
                    + "metric=runtime|maintenanceState, depth=1, where=\"contains inMaintenance\"})",
                "prod",
                1,
                "not `notInMaintenance`: letter case counts")));
  }

  private static Section expressionWhere() {
    return new Section(
        "Conditions in parentheses: `where=( ... )`",
        List.of(
            "A whole expression of `$value`, the value that is tested, `${metric=key}`, another"
                + " key of the same object, numbers, texts in quotes and functions of one value."
                + " Where something is missing the condition does not hold, and neither does its"
                + " opposite.",
            "`$value.isFresh()` and `${metric=key}.isFresh()` ask if the last point is younger"
                + " than the usual interval between points. Properties are always fresh.",
            "Two values are compared as numbers if both are numbers, else as texts if both are"
                + " properties or one is in quotes. A text is never equal, nor unequal, to a"
                + " metric."),
        List.of(
            example(
                "count("
                    + VMS
                    + "metric=sys|poweredOn, depth=2, where=($value == 1 && ${metric=mem|usage_average} > 50)})",
                "prod",
                1,
                ""),
            example(
                "count("
                    + VMS
                    + "metric=summary|guest|fullName, depth=2, where=(!($value contains 'Windows' || $value contains 'Redhat'))})",
                "prod",
                1,
                ""),
            example(
                "sum(" + VMS + "metric=mem|usage_average, depth=2, where=($value.isFresh())})",
                "prod",
                50,
                "the 80 of web2 is old"),
            example(
                "sum(" + VMS + "metric=mem|usage_average, depth=2})",
                "prod",
                130,
                "old values count too"),
            example(
                "count("
                    + VMS
                    + "metric=sys|poweredOn, depth=2, where=(!(${metric=cpu|usage_average} > 50))})",
                "prod",
                1,
                "db1 has no CPU value, so it is left out"),
            example(
                "count("
                    + VMS
                    + "metric=cpu|usage_average, depth=2, where=(abs($value - 60) < 31)})",
                "prod",
                2,
                "")));
  }

  private static Section aliases() {
    return new Section(
        "Aliases: `as name`",
        List.of(
            "A name for an entry, or for what stands in parentheses, that the whole formula may"
                + " use, before it too. It is a name for the text: in a function of many values it"
                + " is a set again. Letter case does not count. Names of functions cannot be"
                + " given."),
        List.of(
            example("${this, metric=cpu|usage_average} as a != 0 ? 180 / a : -1", "web1", 2, ""),
            example("x + ${this, metric=cpu|usage_average} as X", "web1", 180, "used before"),
            example(
                "max(" + VMS + "metric=cpu|usage_average, depth=2} as load) - min(load)",
                "prod",
                60,
                "a set")));
  }

  private static Section sets() {
    return new Section(
        "Calculating with many values",
        List.of(
            "Inside a function of many values, arithmetic is done with each value. Two sets can"
                + " be combined if they have the same members: same type and depth, and the same"
                + " attribute or `metric=` on both sides. A value of the object itself goes with"
                + " each member."),
        List.of(
            example("sum(" + VMS + "metric=mem|usage_average, depth=2} / 10)", "prod", 13, ""),
            example(
                "sum("
                    + VMS
                    + "metric=mem|usage_average, depth=2} * "
                    + VMS
                    + "metric=sys|poweredOn, depth=2})",
                "prod",
                120,
                "each VM's memory times its own power state"),
            example(
                "sum("
                    + VMS
                    + "metric=cpu|usage_average, depth=2} / ${this, metric=summary|number_running_vms})",
                "prod",
                60,
                ""),
            example("sum([1, 2, 3] * 2)", "web1", 12, ""),
            example(
                "sum(" + VMS + "metric=cpu|usage_average, depth=2} > 50)",
                "prod",
                1,
                "how many are"),
            example(
                "max(["
                    + VMS
                    + "metric=cpu|usage_average, depth=2}, max("
                    + HOSTS
                    + "metric=cpu|usage_average, depth=1})])",
                "prod",
                90,
                "")));
  }

  private static Section missing() {
    return new Section(
        "Where values are missing",
        List.of(
            """
            | missing | then |
            |---|---|
            | an operand of arithmetic or of a comparison | no value |
            | the left side of `&&`, `\\|\\|` | no value; with 0 on the left of `&&`, or a true value on the left of `\\|\\|`, the right side does not matter |
            | the condition of `? :` | no value |
            | a member of a set or array | it is passed over |
            | everything that `count` counts | 0 |
            | everything under `sum`, `avg`, `min`, `max` | no value; 0 with `peerlens.evaluation.empty-is-zero=true` |
            | something that a `where` looks at | the condition does not hold |
            | a value with `defval=n` | n |""",
            "No value is a gap in the stored metric, never a 0. The evaluation counts how many"
                + " objects have none, and why."),
        List.of(
            none("${this, metric=cpu|usage_average} + 1", "db1", ""),
            example("0 && ${this, metric=cpu|usage_average}", "db1", 0, ""),
            none("${this, metric=cpu|usage_average} && 0", "db1", ""),
            example("1 || ${this, metric=cpu|usage_average}", "db1", 1, ""),
            none("!${this, metric=cpu|usage_average}", "db1", ""),
            example(
                "avg([${this, metric=cpu|usage_average}, ${this, metric=mem|usage_average}])",
                "db1",
                10,
                "of what there is"),
            example(
                "sum([${this, metric=cpu|usage_average} > 50 ? 10 : 20, 1])",
                "db1",
                1,
                "a member without a value"),
            example("!count(${this, metric=cpu|usage_average})", "db1", 1, "")));
  }

  private static Section superMetrics() {
    return new Section(
        "Super metrics in formulas",
        List.of(
            "The result of a super metric is the metric `Super Metric|sm_<id>` of the object, and"
                + " is read like any other. Those that are read are computed first, so a chain has"
                + " the values of one moment; vROps lags a cycle for each link.",
            "A super metric that reads itself sees its last stored value, and so do several that"
                + " read one another. Begin with"
                + " `max([${this, metric=Super Metric|sm_<id>}, 0])`, since there is none at"
                + " first."),
        List.of());
  }

  private static Section spellings() {
    return new Section(
        "Other spellings that are read",
        List.of(
            """
            | written | read as |
            |---|---|
            | `adapterkind`, `resourcekind`, `resourcename` | `adaptertype`, `objecttype`, `objectname` |
            | any letter case of functions, clauses and aliases | the same |
            | blanks, tabs, line feeds, blanks without width | nothing |
            | typographic quotes and dashes | `"` and `-` |
            | `property=` | `metric=`, with a warning |
            | `depth` beside `this` or a named object | nothing, with a warning |
            | `sumN(...)`, `$This:...` of version 5 | an error that names the spelling of today |""",
            "`combine(...)` passes its values on to the function around it; vROps documents no"
                + " more of it. It cannot be a result."),
        List.of(
            example(
                "Avg(${adapterKind=VMWARE, resourceKind=VirtualMachine,\n  metric= cpu|usage_average , depth=2})",
                "prod",
                60,
                ""),
            example(
                "count(${adaptertype=VMWARE, objecttype=VirtualMachine, metric=cpu|usage_average,"
                    + " depth=2, where=\u201d>= 30\u201d})",
                "prod",
                2,
                "")));
  }

  /** The document. */
  public static String markdown() {
    StringBuilder out = new StringBuilder();
    out.append(
        """
        # The formula language

        Generated from `LanguageReference` and tested by `LanguageReferenceTest`; do not edit.

        A super metric is a formula that yields one number for each object, or none. It is computed at every tick from the
        newest values there are. The language is that of super metrics in vRealize Operations 6.0 to VCF Operations 9.1.

        Examples are about this small world; `-` is no value. A tilde marks a value that is not fresh.

        | object | kind | below it | values |
        |---|---|---|---|
        """);
    for (Thing thing : world()) {
      List<String> values = new ArrayList<>();
      for (int i = 0; i < thing.values().size(); i += 2) {
        Object value = thing.values().get(i + 1);
        String text = value instanceof String ? "'" + value + "'" : String.valueOf(value);
        values.add("`" + cell(String.valueOf(thing.values().get(i))) + "` " + cell(text));
      }
      out.append("| ").append(thing.name()).append(" | ").append(thing.kind()).append(" | ");
      out.append(String.join(", ", thing.children())).append(" | ");
      out.append(String.join(", ", values)).append(" |\n");
    }
    for (Section section : sections()) {
      out.append("\n## ").append(section.title()).append('\n');
      section.rules().forEach(rule -> out.append('\n').append(rule).append('\n'));
      if (!section.examples().isEmpty()) {
        out.append("\n| formula | for | yields | |\n|---|---|---|---|\n");
      }
      for (Example example : section.examples()) {
        String value = Double.isNaN(example.value()) ? "-" : Printer.decimal(example.value());
        out.append("| `").append(cell(example.formula())).append("` | ").append(example.object());
        out.append(" | ").append(value).append(" | ").append(cell(example.note())).append(" |\n");
      }
    }
    return out.toString();
  }

  private static String cell(String text) {
    return text.replace("|", "\\|").replaceAll("\\s+", " ");
  }
}
