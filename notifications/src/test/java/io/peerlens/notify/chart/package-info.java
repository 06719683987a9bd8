@NullMarked
package io.peerlens.notify.chart;

import org.jspecify.annotations.NullMarked;
