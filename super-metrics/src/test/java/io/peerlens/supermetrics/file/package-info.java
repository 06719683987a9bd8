@NullMarked
package io.peerlens.supermetrics.file;

import org.jspecify.annotations.NullMarked;
