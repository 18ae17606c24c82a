//! Kinds of JSON files that are often opened by mistake, and hold no trace of an agent.

/// Defines the kinds.
macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// A kind of file that holds no trace of an agent.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, serde::Serialize, serde::Deserialize)]
        pub enum OtherFile {
            $($(#[$doc])* $name,)*
        }

        impl OtherFile {
            /// Every kind.
            pub const ALL: &[Self] = &[$(Self::$name,)*];
        }
    };
}

kinds! {
    /// The manifest of an npm package.
    PackageManifest,
    /// The versions of packages that a package manager installed.
    PackageLock,
    /// Settings of the TypeScript compiler.
    TypeScriptSettings,
    /// A source map.
    SourceMap,
    /// A software bill of materials.
    BillOfMaterials,
    /// Places and shapes on a map.
    GeoJson,
    /// A recording of a browser in the Trace Event Format.
    ChromeTrace,
    /// A CPU profile of V8.
    CpuProfile,
    /// A heap snapshot of V8.
    HeapSnapshot,
    /// A profile of the Firefox Profiler.
    FirefoxProfile,
    /// A profile of speedscope.
    SpeedscopeProfile,
    /// A report of Lighthouse.
    LighthouseReport,
    /// Results of static analysis.
    Sarif,
    /// Messages of `ESLint`.
    EslintReport,
    /// A Jupyter notebook.
    Notebook,
    /// A recording of a browser by Playwright.
    PlaywrightTrace,
    /// A report of Playwright on tests.
    PlaywrightReport,
    /// A report of Jest or Vitest on tests.
    JestReport,
    /// A report of any other program on tests.
    TestReport,
    /// A report on the coverage of tests.
    CoverageReport,
    /// Metrics of OpenTelemetry.
    OtlpMetrics,
    /// The description of an API.
    OpenApi,
    /// A JSON schema.
    JsonSchema,
    /// A resource of Kubernetes.
    KubernetesResource,
    /// A workflow of GitHub Actions.
    GithubWorkflow,
    /// The state of Terraform.
    TerraformState,
}
